### What a task says when a limit of money or time pauses it.

# $tokens (Number)
budget-tokens = { $tokens } tokens are used up, the limit of this task.
# $tokens (Number)
budget-cost = { $cost } are spent ({ $tokens } tokens), the limit of this task.
# $minutes (Number)
budget-time = It has worked for { $minutes } minutes, the limit of this task.
# $tokens (Number)
budget-unknown-price = The price of this model is unknown, so the cost limit of this task cannot be kept; it used { $tokens } tokens so far. Set `prices` in config.toml, or resume without that limit.
# $tokens (Number)
budget-day-tokens = All tasks of today used { $tokens } tokens, the limit of a day.
# $tokens (Number)
budget-day-cost = All tasks of today cost { $cost } ({ $tokens } tokens), the limit of a day.
# $calls (Number)
# $files (Number)
# $steps (Number)
budget-bought = It took { $steps ->
    [one] 1 step
   *[other] { $steps } steps
}, made { $calls ->
    [one] 1 call that changed something
   *[other] { $calls } calls that changed something
}, and changed { $files ->
    [one] 1 file
   *[other] { $files } files
}.
budget-resume = Resume to allow as much again.
budget-resume-day = Resume to allow as much again for today.
