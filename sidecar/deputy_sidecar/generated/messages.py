"""What the sidecar says to people: a function for each message of its catalogue.

Written by `cargo xtask codegen` from crates/messages/en/sidecar.ftl; do not edit.
"""

from deputy_sidecar.said import Said, argument


def asked(*, host: object, model: object, why: str) -> Said:
    return Said("sidecar-asked", {"host": str(host), "model": str(model), "why": argument(why)}, f"Asked {host} for model {model}: {why}")


def asked_times(*, attempts: int, host: object, model: object, why: str) -> Said:
    said_attempts = "once" if attempts == 1 else f"{attempts} times"
    return Said("sidecar-asked-times", {"attempts": attempts, "host": str(host), "model": str(model), "why": argument(why)}, f"Asked {host} for model {model} {said_attempts}: {why}")


def key_refused(*, said: object) -> Said:
    return Said("sidecar-key-refused", {"said": str(said)}, f"the key was refused ({said}). Enter a valid one.")


def no_key(*, said: object) -> Said:
    return Said("sidecar-no-key", {"said": str(said)}, f"no key is set ({said}). Enter one.")


def account_may_not(*, said: object) -> Said:
    return Said("sidecar-account-may-not", {"said": str(said)}, f"the account may not do this ({said}). Check its plan and credit at the provider.")


def too_many_requests(*, said: object) -> Said:
    return Said("sidecar-too-many-requests", {"said": str(said)}, f"too many requests ({said}). Wait, or choose another model or provider.")


def conversation_too_long(*, said: object) -> Said:
    return Said("sidecar-conversation-too-long", {"said": str(said)}, f"the conversation is too long for it ({said}). Lower the profile's `context_tokens`, or choose a model with a larger context.")


def no_such_model(*, said: object) -> Said:
    return Said("sidecar-no-such-model", {"said": str(said)}, f"the provider does not have it ({said}). Choose another model.")


def provider_failed(*, said: object) -> Said:
    return Said("sidecar-provider-failed", {"said": str(said)}, f"the provider failed ({said}). Try again later, or look at its status page.")


def wrong_address(*, address: object, said: object) -> Said:
    return Said("sidecar-wrong-address", {"address": str(address), "said": str(said)}, f"no model answers at {address} ({said}). Correct the address (`base_url`).")


def request_refused(*, said: object) -> Said:
    return Said("sidecar-request-refused", {"said": str(said)}, f"the request was refused ({said}). Check the backend's settings.")


def no_event() -> Said:
    return Said("sidecar-no-event", {}, "its answer contains no event. Check that `base_url` is the address of this provider.")


def answer_too_long(*, limit: int) -> Said:
    return Said("sidecar-answer-too-long", {"limit": limit}, f"its answer is longer than {limit} MiB and was not read to the end. Set `max_output_tokens`, or check what answers at `base_url`.")


def no_json(*, beginning: object, error: object) -> Said:
    return Said("sidecar-no-json", {"beginning": str(beginning), "error": str(error)}, f"its answer is not JSON ({error}), beginning {beginning}. Check that `base_url` is the address of this provider.")


def no_object() -> Said:
    return Said("sidecar-no-object", {}, "its answer is JSON but not an object. Check that `base_url` is the address of this provider.")


def no_connection_within(*, secs: object) -> Said:
    return Said("sidecar-no-connection-within", {"secs": str(secs)}, f"no connection within connect_timeout_secs = {secs}. Check the network and `base_url`.")


def first_words_late(*, backend: object, secs: object) -> Said:
    return Said("sidecar-first-words-late", {"backend": str(backend), "secs": str(secs)}, f"its answer did not begin within first_token_timeout_secs = {secs}. Raise it for a slow model, e.g. `deputy config set backends.{backend}.first_token_timeout_secs 600`.")


def silent(*, backend: object, secs: object) -> Said:
    return Said("sidecar-silent", {"backend": str(backend), "secs": str(secs)}, f"it was silent for timeout_secs = {secs}. Raise it for a slow model, e.g. `deputy config set backends.{backend}.timeout_secs 600`.")


def answer_took_too_long(*, secs: object) -> Said:
    return Said("sidecar-answer-took-too-long", {"secs": str(secs)}, f"the answer took longer than total_timeout_secs = {secs}. Raise it, set `max_output_tokens`, or choose a faster model.")


def cannot_be_reached(*, address: object, error: object) -> Said:
    return Said("sidecar-cannot-be-reached", {"address": str(address), "error": str(error)}, f"{address} cannot be reached ({error}). Check that the server runs and that `base_url` is right.")


def cannot_be_sent(*, error: object) -> Said:
    return Said("sidecar-cannot-be-sent", {"error": str(error)}, f"the request cannot be sent ({error}). Check `base_url`, `extra_headers` and the key for characters that do not belong there.")


def cannot_be_unpacked(*, error: object) -> Said:
    return Said("sidecar-cannot-be-unpacked", {"error": str(error)}, f"its answer cannot be unpacked ({error}). Check `base_url`.")


def connection_broke_off(*, error: object) -> Said:
    return Said("sidecar-connection-broke-off", {"error": str(error)}, f"the connection was lost ({error}). Try again; if it keeps happening, look at the provider's log or status page.")


def broke_off_in_answer() -> Said:
    return Said("sidecar-broke-off-in-answer", {}, "the connection was lost in the middle of the answer. Try again; if it keeps happening, look at the provider's log or status page.")


def nothing_of_a_model() -> Said:
    return Said("sidecar-nothing-of-a-model", {}, "its answer is not from a model. Check that `base_url` is the address of this provider.")


def empty_answer() -> Said:
    return Said("sidecar-empty-answer", {}, "the answer was empty. Try again or choose another model.")


def call_cut_off() -> Said:
    return Said("sidecar-call-cut-off", {}, "it wrote a call as text, which was cut off at the output limit; raise `max_output_tokens`. Try again or take another model.")


def call_unreadable() -> Said:
    return Said("sidecar-call-unreadable", {}, "it wrote a call as text that cannot be read. Try again or take another model; `deputy backends check` tries whether a model can call tools.")


def broke_off_because(*, reason: object) -> Said:
    return Said("sidecar-broke-off-because", {"reason": str(reason)}, f"the answer broke off: the server ended it for the reason `{reason}`. Try again; if it keeps happening, look at the provider's log or status page.")


def broke_off_without_reason() -> Said:
    return Said("sidecar-broke-off-without-reason", {}, "the answer may have broken off: the server gave no reason for its end. Try again.")


def limit_before_answer() -> Said:
    return Said("sidecar-limit-before-answer", {}, "the output limit was reached before the answer began; raise `max_output_tokens`. Try again or take another model.")


def content_filter() -> Said:
    return Said("sidecar-content-filter", {}, "the provider's content filter held the answer back. Try again or take another model.")


def repeats_itself() -> Said:
    return Said("sidecar-repeats-itself", {}, "it repeated itself and was stopped. Try again, set `temperature`, or choose another model.")


def embeddings_unusable(*, error: object, host: object) -> Said:
    return Said("sidecar-embeddings-unusable", {"error": str(error), "host": str(host)}, f"Asked {host} for embeddings: the answer cannot be used ({error}).")


def embeddings_of_other_number(*, expected: int, got: int, host: object) -> Said:
    return Said("sidecar-embeddings-of-other-number", {"expected": expected, "got": got, "host": str(host)}, f"Asked {host} for {expected} embeddings: got {got}, or of different lengths. Choose another `embedding_model`.")


def setting_is_wrong(*, backend: object, error: object) -> Said:
    return Said("sidecar-setting-is-wrong", {"backend": str(backend), "error": str(error)}, f"A setting of backend {backend} is wrong: {error}. Correct it with `deputy config set backends.{backend}.SETTING VALUE`.")


def no_web_address(*, address: object, backend: object) -> Said:
    return Said("sidecar-no-web-address", {"address": str(address), "backend": str(backend)}, f"The base_url {address} of backend {backend} is no http or https address. Set it with `deputy config set backends.{backend}.base_url http://127.0.0.1:11434/v1`.")


def no_embedding_model(*, backend: object) -> Said:
    return Said("sidecar-no-embedding-model", {"backend": str(backend)}, f"Backend {backend} has no embedding model. Set one with `deputy config set backends.{backend}.embedding_model NAME`.")


def no_model(*, backend: object) -> Said:
    return Said("sidecar-no-model", {"backend": str(backend)}, f"Backend {backend} has no model. `deputy backends check` lists what there is; set one with `deputy config set backends.{backend}.model NAME`.")


def no_backend(*, name: object, names: object, path: object) -> Said:
    return Said("sidecar-no-backend", {"name": str(name), "names": str(names), "path": str(path)}, f"There is no backend {name}: it does not come with Deputy, and {path} cannot be read. Available: {names}. Choose one with `deputy config set backend NAME`.")


def settings_no_object(*, error: object, name: object) -> Said:
    return Said("sidecar-settings-no-object", {"error": str(error), "name": str(name)}, f"The settings of backend {name} are not an object: {error}.")


def not_initialized() -> Said:
    return Said("sidecar-not-initialized", {}, "A request came before `initialize`. Send `initialize` first.")


def other_protocol(*, core: object, own: object) -> Said:
    return Said("sidecar-other-protocol", {"core": str(core), "own": str(own)}, f"The core uses version {core} of the protocol, this sidecar version {own}. Install both from the same release of Deputy.")


def streamed_too_much(*, backend: object, most: int) -> Said:
    return Said("sidecar-streamed-too-much", {"backend": str(backend), "most": most}, f"Backend {backend} streamed more than {most} characters without a plan and was stopped. Set `max_output_tokens`, or choose another model.")


def ended_without_plan(*, backend: object) -> Said:
    return Said("sidecar-ended-without-plan", {"backend": str(backend)}, f"Backend {backend} ended without a plan. Its `plan` must yield one as the last.")


def backend_cannot(*, backend: object, member: object) -> Said:
    return Said("sidecar-backend-cannot", {"backend": str(backend), "member": str(member)}, f"Backend {backend} has no `{member}`. Choose one that has, e.g. `deputy config set backend openai_compatible`.")


def conversation_unreadable(*, error: object) -> Said:
    return Said("sidecar-conversation-unreadable", {"error": str(error)}, f"The conversation cannot be read: {error}. Install the core and the sidecar from the same release.")


def taken_back() -> Said:
    return Said("sidecar-taken-back", {}, "The request was canceled before it was answered.")


def failed(*, error: object, kind: object) -> Said:
    return Said("sidecar-failed", {"error": str(error), "kind": str(kind)}, f"The sidecar failed with {kind}: {error}. Its log has the details.")


def parameters_unfit(*, error: object, method: object) -> Said:
    return Said("sidecar-parameters-unfit", {"error": str(error), "method": str(method)}, f"The parameters of {method} do not fit: {error}.")


def not_fetched(*, host: object, model: object, said: object) -> Said:
    return Said("sidecar-not-fetched", {"host": str(host), "model": str(model), "said": str(said)}, f"Asked {host} to fetch model {model}: {said}. Check its name at ollama.com, or fetch it with `ollama pull`.")


def not_ollama(*, host: object) -> Said:
    return Said("sidecar-not-ollama", {"host": str(host)}, f"What answers at {host} lists no models as Ollama does. Set base_url to Ollama's address, or choose the backend openai_compatible.")


def gguf_package_missing(*, error: object) -> Said:
    return Said("sidecar-gguf-package-missing", {"error": str(error)}, f"The backend local_gguf needs the package llama-cpp-python, which cannot be loaded: {error}. Install it into the sidecar's environment with `make local-gguf`, or choose another backend.")


def gguf_not_loaded(*, error: object, path: object) -> Said:
    return Said("sidecar-gguf-not-loaded", {"error": str(error), "path": str(path)}, f"The model file {path} cannot be loaded: {error}. It may be cut off, too large for this machine's memory, or newer than the package llama-cpp-python.")


def gguf_not_read(*, error: object, path: object) -> Said:
    return Said("sidecar-gguf-not-read", {"error": str(error), "path": str(path)}, f"The model file {path} cannot be read: {error}. Set it with `deputy config set backends.local_gguf.model /path/to/file.gguf`.")


def gguf_is_none(*, path: object) -> Said:
    return Said("sidecar-gguf-is-none", {"path": str(path)}, f"{path} is not a GGUF file. Set `backends.local_gguf.model` to one.")


def gguf_cut_off(*, path: object) -> Said:
    return Said("sidecar-gguf-cut-off", {"path": str(path)}, f"Asked the model file {path}: the plan was not whole at the output limit. Raise `backends.local_gguf.max_output_tokens`, or choose another model.")


def gguf_empty(*, path: object) -> Said:
    return Said("sidecar-gguf-empty", {"path": str(path)}, f"Asked the model file {path}: the answer was empty. Try again or choose another model.")


def gguf_in_circles(*, path: object) -> Said:
    return Said("sidecar-gguf-in-circles", {"path": str(path)}, f"Asked the model file {path}: it repeated itself and was stopped. Try again, raise `temperature`, or choose another model.")


def gguf_failed(*, error: object) -> Said:
    return Said("sidecar-gguf-failed", {"error": str(error)}, f"llama.cpp could not answer: {error}.")


def gguf_too_long(*, error: object, path: object) -> Said:
    return Said("sidecar-gguf-too-long", {"error": str(error), "path": str(path)}, f"The conversation is too long for the model file {path}: {error}. Raise `backends.local_gguf.context_tokens` as far as the model goes.")
