### Requests to the web: `fetch`, `web_search`, and what the browser's requests go through.

# $why (Message)
web-not-requested = { $url } was not requested: { $why }
# $why (Message)
web-redirects-to = { $from } redirects to { $to }, which was not requested: { $why }
# $most (Number)
web-too-many-redirects = { $url } was given up after { $most } redirects
# $why (Message)
web-unreachable = { $host } cannot be reached: { $why }
# $why (Message)
web-insecure = no secure connection to { $host }: { $why }
# $why (Message)
web-bad-answer = { $host } gave no answer that can be used: { $why }
# $secs (Number)
web-too-slow = { $url } did not answer in full within { $secs } s
web-no-address = its name has no address
web-no-authorities = the system has no certificate authorities
web-no-port = it has no port
web-packed-otherwise = it is packed as `{ $packing }`, which was not asked for
web-not-unpacked = it cannot be unpacked: { $error }
web-search-not-sent-on = a search is not sent on
web-own-servers-only = only servers that this task started are reached here; open other addresses with a call of their own
# $port (Number)
web-no-own-server = no process of this task listens on port { $port }
web-own-network-failed = the task's network could not be read: { $error }
web-nobody-allowed = this address is not allowed yet; call the tool with it to ask
web-fetch = Fetch { $url }
web-fetch-site = Fetch { $url } (site { $site })
web-expected-part = expected a number from 1 on
# $size (Message)
web-fetched = { $url }: { $kind }, { $size }
# $size (Message)
web-fetched-text = { $url }: text, { $size }
# $size (Message)
web-fetched-no-type = { $url }: of no type, { $size }
# $fetched (Message)
web-longer-than-read = { $fetched }, longer than is read
# $fetched (Message)
web-with-status = { $fetched }, status { $status }
# $fetched (Message)
# $part (Number)
# $parts (Number)
web-part-of = { $fetched }, part { $part } of { $parts }
# $fetched (Message)
# $why (Message)
web-not-shown = { $fetched }; its content is not shown: { $why }
web-is-no-text = it is not text
web-no-text-in-pdf = no text can be read from this PDF
web-has-only = { $url } has only { $parts ->
    [one] 1 part
   *[other] { $parts } parts
 }
web-search = Search the web for "{ $query }"
web-search-with = Search the web for "{ $query }" with { $label }
web-expected-words = expected words to search for
web-key-not-taken = it does not accept the key
web-search-not-permitted = its settings do not permit this search
web-no-more-searches = it takes no more searches for now
web-gave-no-results = it gave no results
# $why (Message)
web-answered-with-status = { $label } answered with status { $status }: { $why }
web-no-list-of-results = { $label } gave an answer that holds no list of results
web-results = { $count ->
    [one] 1 result
   *[other] { $count } results
 } from { $label }
