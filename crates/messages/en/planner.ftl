### Why a model gave no plan, and what became of the sidecar that asks it.

planner-taken-back = The request to the model was canceled.
planner-shut-down = The sidecar was shut down, so the request was canceled. Start Deputy again to continue.
planner-timed-out = The model did not answer `{ $method }` within { $secs } s. Check that its server is up and not overloaded, or choose a smaller model.
planner-bad-answer = The sidecar's answer cannot be used: { $what }. Try again; if it keeps happening, run `deputy backends check`.
planner-no-single-texts = This planner answers no single texts.
planner-no-models = This planner has no models to list.
planner-does-not-start = This planner does not start.
planner-address-changed = The address of the backend `{ $backend }` was just changed. Trying again.
# $why (Message)
planner-sidecar-crashed = The sidecar { $why }. It is started again when it is next needed; if this happens again, run `deputy doctor`.
# $why (Message)
planner-with-last-words = { $why }; its last output: { $words }
planner-closed-its-output = closed its output
# $most (Number)
planner-line-too-long = wrote a line of more than { $most } bytes
# $secs (Number)
planner-did-not-greet = did not start up within { $secs } s
# $secs (Number)
planner-no-ping = did not answer a ping within { $secs } s
# $error (Message)
planner-cannot-be-started = cannot be started as `{ $program }` ({ $error })
planner-other-protocol = uses version { $its } of the protocol and Deputy version { $ours }: install both from the same release
# $error (Message)
planner-refused-to-start = refused to start: { $error }
# $most (Number)
planner-stray-output = wrote more than { $most } bytes of stray output
planner-died = died ({ $status })
planner-request-not-json = The request `{ $method }` cannot be written as JSON: { $error }. This is a fault in Deputy; please report it.
# $bytes (Number)
# $most (Number)
planner-request-too-long = The request `{ $method }` is { $bytes } bytes long and the sidecar takes { $most }. Lower the task's limit `context_tokens`, or start a new session.
planner-failed-without-reason = The sidecar failed and did not say why. Run `deputy backends check`.
