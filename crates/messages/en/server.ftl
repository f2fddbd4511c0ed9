### What the server refuses or cannot do, and what to do about it.

# $as_secs (Number)
server-no-hello-came-within-seconds = No hello came within { $as_secs } seconds.
server-send-hello-first = Send a hello first.
server-first-message-was-not-hello = The first message was not a hello.
# $protocol (Number)
# $protocol_version (Number)
server-this-host-speaks-protocol-client = This host uses version { $protocol_version } of the protocol, and this client version { $protocol }.
server-use-same-version-of-deputy = Use the same version of Deputy for both.
server-second-hello = A second hello.
server-say-hello-once = Say hello once.
server-message-is-none = The message does not belong to this protocol: { $error }.
server-docs-protocol-md-lists-messages = docs/protocol.md lists the messages.
server-this-client-took-events-more = This client took events more slowly than they came.
server-connect-again-and-resume = Connect again and resume from the last event you have.
server-this-host-serves-no-page = This host serves no page: it wasn't started by `deputy serve`.
server-end-or-wait-until-ends = Stop it or wait until it ends, then start `deputy serve`.
# $max_id_bytes (Number)
server-device-name-is-one-line = A device's name is one line of 1 to { $max_id_bytes } bytes.
server-give-another-name = Give another name.
# $most (Number)
server-push-address-is-https = An address for push begins with https:// and has at most { $most } bytes.
server-turn-push-off-and-on = Turn push off and on again in the app.
server-there-is-no-device = There is no device `{ $device }`, or it was already revoked.
server-deputy-devices-list-lists-them = `deputy devices list` lists them.
server-this-host-was-not-started = this host wasn't started by `deputy serve`
# $why (Message)
server-devices-cannot-connect = Devices can't connect: { $why }.
server-start-deputy-serve-deputy-config = Start `deputy serve`; `deputy config set server.devices ADDRESS:PORT` chooses where devices connect.
server-holds-no-key-remove-then = it holds no key ({ $error }); remove it, then pair your devices again
server-key-that-devices-know = the key that devices know this machine by is gone; pair each of them again
server-somebody-tried-wrong-codes = Someone entered wrong codes.
server-ten-minutes-are-over = The ten minutes are up.
server-second-device-came-with-same = A second device used the same code.
server-numbers-were-not-same = The numbers didn't match.
server-could-not-be-written-down = It couldn't be saved.
server-nothing-was-done-message-carried = Nothing was done: the message has no proof of who sent it.
server-deputy-open-opens-page = `deputy open` opens the page with a fresh link; a phone pairs with `deputy devices pair`.
server-this-link-does-not-open = This link was already used or has expired.
server-deputy-open-makes-new-one = `deputy open` makes a new one.
server-this-session-is-not-known = This session isn't known here.
server-deputy-open-makes-new-link = `deputy open` makes a new link; a device connects again.
server-this-session-has-ended = This session has ended.
server-this-challenge-is-not-open = This challenge was already used or has expired.
server-ask-for-new-one = Ask for a new one.
server-this-device-is-not-paired = This device isn't paired with this computer, or no longer is.
server-pair-with-deputy-devices-pair = Pair it with `deputy devices pair`.
server-this-device-was-revoked = This device was revoked.
server-pair-again-with-deputy-devices = Pair it again with `deputy devices pair`, if it is yours.
server-signature-is-not-this-device = The signature doesn't match this device and message.
server-sign-what-docs-protocol-md = Sign what docs/protocol.md says, with the key that was paired.
server-device-answer = A device must sign its answers.
server-this-device-may-not-do = This device isn't allowed to do that.
server-deputy-devices-list-shows-what = `deputy devices list` shows what each device may do; pair it anew to change that.
server-only-desktop-itself-may-do = That can only be done on the computer itself.
server-do-at-desktop-on-page = Do it there: on its page, or with the command `deputy`.
server-this-does-not-belong = This doesn't belong to an open pairing.
server-begin-again-with-deputy-devices = Start over with `deputy devices pair`.
server-no-pairing-was-begun = No pairing is in progress.
server-begin-one-with-deputy-devices = Start one with `deputy devices pair`.
server-public-key-is-not-point = A public key is not a point of P-256 in its uncompressed form, in base64url.
server-send-bytes-that-begin = Send the 65 bytes that begin with 4.
server-too-much-from-this-address = Too many attempts from this address failed.
server-wait-minute = Wait a minute.
server-journal-does-not-answer-without = The database isn't responding, so no one can connect.
server-deputy-doctor-says-what = `deputy doctor` says what is wrong with it.
server-system-gave-no-random-numbers = The system provides no random numbers, so no secret can be made.
server-try-again-if-stays-system = Try again; if it keeps happening, the system's random device is missing.
# $max_id_bytes (Number)
server-command-id-has-to-bytes = A command's id has 1 to { $max_id_bytes } bytes.
server-make-short-random-one = Make a short random one.
server-what-is-dangerous-is-asked = High-risk actions always ask; they can't be approved in advance.
server-consent-to-low-or-medium = Choose low or medium risk.
server-take-out-to-have-none = Remove it to have none.
# $why (Message)
server-ntfy = notify.ntfy `{ $address }` isn't the address of a topic: { $why }
server-has-to-look-like-https = it has to look like https://relay.example/topic
server-is-neither-https-nor-http = `{ $other }` is neither https nor http
server-notify-quiet-names-no-hours = notify.quiet `{ $value0 }` isn't a time range; write it as `22:00-07:00`
server-cannot-be-opened = { $path } can't be opened: { $source }
server-command-has-field = The command has a field that this host does not know: { $path }.
server-docs-protocol-md-and-api = docs/protocol.md and /api/v1/openapi.json list the fields. Nothing was done.
server-there-is-nothing = There's nothing at this address.
server-this-address-knows-other-methods = This address takes other methods only.
server-body-came-too-slowly = The body came too slowly.
server-send-again-all-at-once = Send it again, all at once.
server-cannot-be-listened = can't listen on { $address }: { $error }
server-request-names-host = The request names a host that is not this one.
server-use-address-that-deputy-open = Use the address that `deputy open` prints, or add the name to `server.names`.
server-secret-stood-in-address-where = The address contained a secret, where logs and histories keep it. It was ignored.
server-send-in-body = Send it in the body or in the header `Authorization`.
server-request-comes-from-page = The request comes from a page that is not Deputy's, or does not say where it comes from.
server-wait-between-messages-events-come = Wait between messages; events come by themselves.
server-this-client-sends-faster-than = This client sends too fast.
server-binary-frame-came = A binary frame came.
server-send-json-messages-as-text = Send JSON messages as text frames.
server-frame-could-not-be-read = A frame could not be read: { $error }.
server-frame-holds-at-most-kib = A frame holds at most 64 KiB, a message at most 256 KiB of UTF-8.
server-not-loopback = { $address } is not an address of this machine alone; the page and the API are served on loopback only
server-address-in-use = { $address } is in use by another program
