### What a task says when a limit of money or time pauses it.

# $tokens (Number)
budget-tokens = This task has used { $tokens } tokens, its limit.
# $tokens (Number)
budget-cost = This task has cost { $cost } ({ $tokens } tokens), its limit.
# $minutes (Number)
budget-time = This task has worked for { $minutes } minutes, its limit.
# $tokens (Number)
budget-unknown-price = This model has no price set, so the task's cost limit can't be kept; it has used { $tokens } tokens so far. Set `prices` in config.toml, or resume without that limit.
# $tokens (Number)
budget-day-tokens = Today's tasks have used { $tokens } tokens, the daily limit.
# $tokens (Number)
budget-day-cost = Today's tasks have cost { $cost } ({ $tokens } tokens), the daily limit.
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
budget-resume = Resume to allow the same amount again.
budget-resume-day = Resume to allow the same amount again today.
