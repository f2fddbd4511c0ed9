### What the search says: what it would look for, what it found, and what went wrong.

search-list-here = List this folder
search-list = List { $path }
search-tree-here = Show the tree of this folder
search-tree = Show the tree of { $path }
search-usage-here = Sum up what this folder takes
search-usage = Sum up what { $path } takes
search-find-here = Find files in this folder
search-find = Find files in { $path }
search-grep-here = Search this folder for { $pattern }
search-grep = Search { $path } for { $pattern }
search-grep-output = Search the output of { $id } for { $pattern }
search-count-here = Count lines in this folder
search-count = Count lines in { $path }
search-duplicates-here = Find duplicate files in this folder
search-duplicates = Find duplicate files in { $path }
search-info-here = Look into this folder
search-info = Look into { $path }
search-compare-here = Compare this folder with { $other }
search-compare = Compare { $path } with { $other }
search-broke-off = the search failed: { $error }
# $time (Message)
search-took-too-long = stopped after { $time } without a result: ask for less, or with a simpler pattern
search-expected-glob = expected a glob: { $error }
search-expected-regex = expected a regular expression on one line, or `literal`: { $error }
search-expected-text = expected a text to look for
search-outside-only = `hidden` and `no_ignore` count for the whole search: give them outside
search-too-deep = these conditions are nested too deep
search-no-moment = `{ $text }` is neither a date like 2026-01-31 nor an age like 12h, 7d or 2w
search-protected = protected: { $names }; reading one asks the user
# $more (Number)
search-protected-and-more = protected: { $names } and { $more } more; reading one asks the user
# $count (Number)
search-hidden-or-ignored = { $count } hidden or ignored
# $count (Number)
search-closed = { $count } skipped because of the user's rules or this task's scope
search-too-large = too large, not all of it was looked at
# $with_matches (Number)
search-matches = { $matches ->
    [one] 1 match
   *[other] { $matches } matches
 } in { $with_matches } of { $files ->
    [one] 1 file
   *[other] { $files } files
 }
search-binary-passed-by = { $count ->
    [one] 1 binary file
   *[other] { $count } binary files
 } passed by
# $most (Message)
search-line-too-long = { $count ->
    [one] 1 file
   *[other] { $count } files
 } searched only up to a line longer than { $most }
# $size (Message)
search-wasted = { $groups ->
    [one] 1 group
   *[other] { $groups } groups
 }, { $files ->
    [one] 1 file
   *[other] { $files } files
 }, { $size } wasted
# $different (Number)
# $only_here (Number)
# $only_there (Number)
# $same (Number)
search-compared = { $only_here } only in { $here }, { $only_there } only in { $there }, { $different } different, { $same } the same
# $size (Message)
search-first-lines = { $lines ->
    [one] 1 line
   *[other] { $lines } lines
 }, the first of { $size }
# $size (Message)
search-last-lines = { $lines ->
    [one] 1 line
   *[other] { $lines } lines
 }, the last of { $size }
# $size (Message)
search-is-binary = { $path } is a binary file of { $size }
# $all (Number)
search-none-shown = none of { $all } shown
search-nothing-found = nothing found
# $all (Number)
# $to (Number)
search-first-shown = { $to } of { $all } shown
# $all (Number)
# $from (Number)
# $to (Number)
search-some-shown = { $from } to { $to } of { $all } shown
# $count (Number)
search-files-unread = { $count ->
    [one] could not read { $files }
   *[other] could not read { $count } files, among them { $files }
 }
