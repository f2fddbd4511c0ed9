### What the sidecar says: why a request was not answered.
### Its Python has a function for each message (`cargo xtask codegen`); a backend of a person's own speaks for itself.

# $why (Message)
sidecar-asked = Asked { $host } for model { $model }: { $why }
# $why (Message)
sidecar-asked-times = Asked { $host } for model { $model } { $attempts ->
    [one] once
   *[other] { $attempts } times
 }: { $why }
sidecar-key-refused = the key was refused ({ $said }). Enter a valid one.
sidecar-no-key = no key is set ({ $said }). Enter one.
sidecar-account-may-not = the account may not do this ({ $said }). Check its plan and credit at the provider.
sidecar-too-many-requests = too many requests ({ $said }). Wait, or choose another model or provider.
sidecar-conversation-too-long = the conversation is too long for it ({ $said }). Lower the profile's `context_tokens`, or choose a model with a larger context.
sidecar-no-such-model = the provider does not have it ({ $said }). Choose another model.
sidecar-provider-failed = the provider failed ({ $said }). Try again later, or look at its status page.
sidecar-wrong-address = no model answers at { $address } ({ $said }). Correct the address (`base_url`).
sidecar-request-refused = the request was refused ({ $said }). Check the backend's settings.
sidecar-no-event = its answer contains no event. Check that `base_url` is the address of this provider.
# $limit (Number)
sidecar-answer-too-long = its answer is longer than { $limit } MiB and was not read to the end. Set `max_output_tokens`, or check what answers at `base_url`.
sidecar-no-json = its answer is not JSON ({ $error }), beginning { $beginning }. Check that `base_url` is the address of this provider.
sidecar-no-object = its answer is JSON but not an object. Check that `base_url` is the address of this provider.
sidecar-no-connection-within = no connection within connect_timeout_secs = { $secs }. Check the network and `base_url`.
sidecar-first-words-late = its answer did not begin within first_token_timeout_secs = { $secs }. Raise it for a slow model, e.g. `deputy config set backends.{ $backend }.first_token_timeout_secs 600`.
sidecar-silent = it was silent for timeout_secs = { $secs }. Raise it for a slow model, e.g. `deputy config set backends.{ $backend }.timeout_secs 600`.
sidecar-answer-took-too-long = the answer took longer than total_timeout_secs = { $secs }. Raise it, set `max_output_tokens`, or choose a faster model.
sidecar-cannot-be-reached = { $address } cannot be reached ({ $error }). Check that the server runs and that `base_url` is right.
sidecar-cannot-be-sent = the request cannot be sent ({ $error }). Check `base_url`, `extra_headers` and the key for characters that do not belong there.
sidecar-cannot-be-unpacked = its answer cannot be unpacked ({ $error }). Check `base_url`.
sidecar-connection-broke-off = the connection was lost ({ $error }). Try again; if it keeps happening, look at the provider's log or status page.
sidecar-broke-off-in-answer = the connection was lost in the middle of the answer. Try again; if it keeps happening, look at the provider's log or status page.
sidecar-nothing-of-a-model = its answer is not from a model. Check that `base_url` is the address of this provider.
sidecar-empty-answer = the answer was empty. Try again or choose another model.
sidecar-call-cut-off = it wrote a call as text, which was cut off at the output limit; raise `max_output_tokens`. Try again or take another model.
sidecar-call-unreadable = it wrote a call as text that cannot be read. Try again or take another model; `deputy backends check` tries whether a model can call tools.
sidecar-broke-off-because = the answer broke off: the server ended it for the reason `{ $reason }`. Try again; if it keeps happening, look at the provider's log or status page.
sidecar-broke-off-without-reason = the answer may have broken off: the server gave no reason for its end. Try again.
sidecar-limit-before-answer = the output limit was reached before the answer began; raise `max_output_tokens`. Try again or take another model.
sidecar-content-filter = the provider's content filter held the answer back. Try again or take another model.
sidecar-repeats-itself = it repeated itself and was stopped. Try again, set `temperature`, or choose another model.
sidecar-embeddings-unusable = Asked { $host } for embeddings: the answer cannot be used ({ $error }).
# $expected (Number)
# $got (Number)
sidecar-embeddings-of-other-number = Asked { $host } for { $expected } embeddings: got { $got }, or of different lengths. Choose another `embedding_model`.
sidecar-setting-is-wrong = A setting of backend { $backend } is wrong: { $error }. Correct it with `deputy config set backends.{ $backend }.SETTING VALUE`.
sidecar-no-web-address = The base_url { $address } of backend { $backend } is no http or https address. Set it with `deputy config set backends.{ $backend }.base_url http://127.0.0.1:11434/v1`.
sidecar-no-embedding-model = Backend { $backend } has no embedding model. Set one with `deputy config set backends.{ $backend }.embedding_model NAME`.
sidecar-no-model = Backend { $backend } has no model. `deputy backends check` lists what there is; set one with `deputy config set backends.{ $backend }.model NAME`.
sidecar-no-backend = There is no backend { $name }: it does not come with Deputy, and { $path } cannot be read. Available: { $names }. Choose one with `deputy config set backend NAME`.
sidecar-settings-no-object = The settings of backend { $name } are not an object: { $error }.
sidecar-not-initialized = A request came before `initialize`. Send `initialize` first.
sidecar-other-protocol = The core uses version { $core } of the protocol, this sidecar version { $own }. Install both from the same release of Deputy.
# $most (Number)
sidecar-streamed-too-much = Backend { $backend } streamed more than { $most } characters without a plan and was stopped. Set `max_output_tokens`, or choose another model.
sidecar-ended-without-plan = Backend { $backend } ended without a plan. Its `plan` must yield one as the last.
sidecar-backend-cannot = Backend { $backend } has no `{ $member }`. Choose one that has, e.g. `deputy config set backend openai_compatible`.
sidecar-conversation-unreadable = The conversation cannot be read: { $error }. Install the core and the sidecar from the same release.
sidecar-taken-back = The request was canceled before it was answered.
sidecar-failed = The sidecar failed with { $kind }: { $error }. Its log has the details.
sidecar-parameters-unfit = The parameters of { $method } do not fit: { $error }.
sidecar-not-fetched = Asked { $host } to fetch model { $model }: { $said }. Check its name at ollama.com, or fetch it with `ollama pull`.
sidecar-not-ollama = What answers at { $host } lists no models as Ollama does. Set base_url to Ollama's address, or choose the backend openai_compatible.
sidecar-gguf-package-missing = The backend local_gguf needs the package llama-cpp-python, which cannot be loaded: { $error }. Install it into the sidecar's environment with `make local-gguf`, or choose another backend.
sidecar-gguf-not-loaded = The model file { $path } cannot be loaded: { $error }. It may be cut off, too large for this machine's memory, or newer than the package llama-cpp-python.
sidecar-gguf-not-read = The model file { $path } cannot be read: { $error }. Set it with `deputy config set backends.local_gguf.model /path/to/file.gguf`.
sidecar-gguf-is-none = { $path } is not a GGUF file. Set `backends.local_gguf.model` to one.
sidecar-gguf-cut-off = Asked the model file { $path }: the plan was not whole at the output limit. Raise `backends.local_gguf.max_output_tokens`, or choose another model.
sidecar-gguf-empty = Asked the model file { $path }: the answer was empty. Try again or choose another model.
sidecar-gguf-in-circles = Asked the model file { $path }: it repeated itself and was stopped. Try again, raise `temperature`, or choose another model.
sidecar-gguf-failed = llama.cpp could not answer: { $error }.
sidecar-gguf-too-long = The conversation is too long for the model file { $path }: { $error }. Raise `backends.local_gguf.context_tokens` as far as the model goes.
