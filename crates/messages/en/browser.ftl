### The browser of tasks: what a call would do, what came of it, and what goes wrong.

browser-open = Open { $url } in the browser
browser-open-site = Open { $url } in the browser (site { $site })
browser-load-from = Let the page load from { $names }
browser-click = Click { $what }
browser-click-sends = Click { $what }, which sends a form to { $to }
browser-download = Download { $what } to { $file }
browser-upload = Upload { $files } to { $what }
browser-fill = Fill { $what }
browser-press-in = Press { $keys } in { $what }
browser-press-on = Press { $keys } on { $page }
browser-choose = Choose { $values } in { $what }
browser-run-script = Run a script on { $page }: { $script }
browser-look = Look at the page ({ $page })
browser-read = Read the page ({ $page })
browser-picture = Take a picture of the page ({ $page })
browser-point-at = Point at { $what } ({ $page })
browser-scroll = Scroll the page ({ $page })
browser-go-back = Go back ({ $page })
browser-go-forward = Go forward ({ $page })
browser-look-at-tabs = Look at the tabs ({ $page })
browser-wait = Wait for the page ({ $page })
# $most (Number)
browser-expected-files = expected 1 to { $most } files
# $most (Number)
browser-expected-addresses = expected 1 to { $most } addresses
browser-is-tracker = { $host } tracks people across sites, and pages work without it; leave it out
browser-opened = Opened: { $url }
browser-clicked = Clicked { $reference }: { $url }
browser-before-action = Right before this action, with its place outlined: { $url }
browser-filled = Filled { $reference }: { $url }
browser-chose = Chose in { $reference }: { $url }
browser-pressed = Pressed { $keys }: { $url }
browser-pointed = Pointed at { $reference }: { $url }
browser-scrolled = Scrolled: { $url }
browser-back = Back: { $url }
browser-forward = Forward: { $url }
browser-is-there = It is there: { $url }
browser-loaded-again = Allowed and loaded again: { $url }
browser-not-done = Not done, because the browser had been closed; opened again: { $url }
browser-ran-script = Ran the script: { $url }
browser-in-tab = In tab { $tab }: { $url }
browser-handed-over = Uploaded { $count ->
    [one] 1 file
   *[other] { $count } files
 }: { $url }
browser-text-of = Text of: { $url }
browser-html-of = HTML of: { $url }
browser-the-page = The page: { $url }
# $did (Message)
browser-still-loading = { $did }, still loading
# $did (Message)
# $part (Number)
# $parts (Number)
browser-part-of = { $did }, part { $part } of { $parts }
browser-has-only = the page has only { $parts ->
    [one] 1 part
   *[other] { $parts } parts
 }
browser-tabs = { $count ->
    [one] 1 tab
   *[other] { $count } tabs
 }
# $height (Number)
# $width (Number)
browser-shot = { $url }, { $width } x { $height } pixels
# $shot (Message)
browser-picture-of = Picture of { $shot }
# $size (Message)
browser-saved = Saved { $file } ({ $size })
# $most (Message)
browser-too-much-at-once = at most { $most } can be uploaded at once
browser-takes-files = this field takes files; use `browser_upload`
browser-one-to-wait-for = wait for a text or for a selector, not for both
browser-name-tab = name the tab to close
browser-no-picture = it gave no picture
# $error (Message)
browser-not-opened-again = The browser had been closed, because Deputy was restarted or the browser crashed, and its last page did not load again: { $error }. Use `browser_navigate` to open it
browser-not-installed = no browser is installed; install Chromium, Google Chrome or Microsoft Edge, for instance by `apt install chromium`
# $why (Message)
browser-no-walls = the browser was not started: { $why }
# $why (Message)
browser-not-started = the browser did not start: { $why }
browser-gone = the browser has ended; `browser_navigate` starts a new one
browser-crashed = the page crashed; `browser_navigate` loads it again
# $mib (Number)
browser-overgrown = the browser used more than { $mib } MB of memory, so this page was ended; `browser_navigate` loads it again, and closing other tabs leaves it more
browser-flooded = the pages kept opening tabs, so all tabs were closed; use `browser_navigate` to open another page
# $secs (Number)
browser-silent = the page did not answer within { $secs } s; it may be busy with a script without end. Use `browser_navigate` to open another page, or close the tab
# $why (Message)
browser-refused = the browser could not do it: { $why }
browser-no-page = no page is open; open one with `browser_navigate`
browser-stale = there is no { $reference } on this page (any more); take a new `browser_snapshot`
browser-stale-role = there is no such { $role } on this page (any more); take a new `browser_snapshot`
browser-no-profile = making its profile failed ({ $error })
browser-profile-in-use = The kept profile is in use by another browser, so this one is signed in nowhere
browser-no-network = making its network failed ({ $error })
browser-no-socket = making its socket failed ({ $error })
browser-not-listening = listening in its network failed ({ $error })
browser-no-display-key = writing the display's key failed ({ $error })
browser-no-page-came-up = no page came up
# $missing (Message)
browser-needs-bubblewrap = it needs bubblewrap to be kept from the network ({ $missing })
# $oldest (Number)
browser-too-old = { $name } is too old ({ $version }); install version { $oldest } or newer
# $secs (Number)
browser-said-nothing = it said nothing within { $secs } s
browser-ended-with-code = it ended with code { $code }
browser-ended = it ended ({ $how })
# $how (Message)
browser-last-words = { $how }: { $last }
# $secs (Number)
browser-not-open-in-time = { $url } did not open within { $secs } s
# $why (Message)
browser-not-opened = { $url } was not opened: { $why }
# $why (Message)
browser-leads-elsewhere = { $url } leads to { $origin }. { $origin } was not opened: { $why }
browser-name-not-known = its name is not known
browser-nothing-listens = nothing listens there
browser-endless-redirects = its redirects do not end
browser-cannot-be-reached = it cannot be reached
browser-is-no-page = it is no page, or has no content
browser-certificate = its certificate is not trusted ({ $code })
browser-no-page-before = there is no page before this one
browser-no-page-after = there is no page after this one
browser-no-tab = there is no tab { $number }
# $secs (Number)
browser-selector-not-seen = nothing that `{ $selector }` names was seen within { $secs } s
# $secs (Number)
browser-text-not-seen = the text `{ $text }` was not seen within { $secs } s
# $secs (Number)
browser-not-ready = the page was not ready within { $secs } s
browser-not-in-use = the browser is not in use
browser-give-reference = give the reference of the field, so that it can be asked about
# $why (Message)
browser-not-reached = { $reference } cannot be reached: { $why }
browser-is-hidden = it is hidden
browser-is-disabled = it is disabled
browser-came-between = { $what } was in its place, so the input was blocked; take a new `browser_snapshot`
browser-is-covered = { $what } covers it
# $why (Message)
browser-not-changed = { $reference } was not changed: { $why }
browser-is-fixed = it cannot be changed
browser-takes-format = it takes { $format }
browser-not-for-text = it is not for text
browser-no-list = it is no list of choices; click it, and then what it offers
browser-no-such-choice = it has no choice { $missing }; it has: { $choices }
browser-takes-one-choice = it takes one choice
browser-sends-otherwise = The page tried to send a form to { $origin } that was not asked about; it was not sent. Take a new `browser_snapshot`, and click the form's own button
browser-is-another = { $reference } is not any more what was asked about; take a new `browser_snapshot`
browser-no-key = { $text } is no key; there are { $names }, single characters, and Control+, Shift+, Alt+ before them
browser-name-a-key = name a key, like Enter or Control+A
browser-no-reference = { $text } is neither a reference like e12, which a snapshot gives, nor a CSS selector
browser-no-file-came = { $reference } downloads nothing; use `click` instead
browser-selector-names-nothing = the selector `{ $selector }` matches nothing on the page; take a new `browser_snapshot`
browser-only-reads = the script does more than read, so it was not run; without `only_reads` the person is asked about it
# $why (Message)
browser-not-downloaded = { $name } was not downloaded: { $why }
# $most (Number)
browser-larger-than = it is larger than { $most } MB
# $secs (Number)
browser-not-there-after = it was not there after { $secs } s
browser-download-broke-off = the download of { $name } failed
browser-takes-no-files = { $reference } takes no files
browser-no-text = the page gave no text
browser-in-a-frame = { $reference } is in a frame; take a picture without it
browser-script-failed = the script failed: { $said }
browser-wants-password = The server wants a name and a password, which were not given
browser-download-not-started = The download of { $name } was not started; `browser_download` saves a file
# $most (Number)
browser-too-many-tabs = A page tried to open more than { $most } tabs, which were closed
browser-tab-opened = Tab { $number } opened and is the current one
browser-alert = The page showed an alert: "{ $said }"
browser-asked-to-stay = The page asked to stay on it, and was left
browser-dismissed = The page asked by a { $kind }: "{ $said }"; it was dismissed
