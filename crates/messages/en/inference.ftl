### What `python_inference` says: a model that is asked about many texts.

inference-no-models-here = no model can be asked here
inference-some-model = a model
inference-no-model-for-texts = there is no model to ask: this task works without one. Set `roles.cheap` to `backend` or `backend/model`
inference-only-a-person-chooses = only the user can choose { $backend }, since it does not say where it sends texts: they can set `roles.cheap`
# $most (Number)
inference-expected-prompt = expected 1 to { $most } bytes
inference-expected-texts = expected `files` or `texts`
# $most (Number)
inference-expected-labels = expected 2 to { $most } labels
# $most (Number)
inference-expected-schema = expected an object's JSON Schema with 1 to { $most } properties, each a string, number, integer, boolean or array
inference-labels-or-schema = expected `labels` or `schema`, not both
inference-only-complete-has-forms = expected `complete` where there are `labels` or a `schema`
# $texts (Number)
inference-about-texts = { $texts ->
    [one] 1 text
   *[other] { $texts } texts
}
# $texts (Number)
inference-about-both = { $files } and { $texts ->
    [one] 1 text
   *[other] { $texts } texts
}
# $about (Message)
inference-ask = Ask { $whom } about { $about }: { $prompt }
# $about (Message)
inference-ask-and-save = Ask { $whom } about { $about }, into { $path }: { $prompt }
# $what (Message)
inference-in-background = { $what }, in the background
inference-ask-for-plan = Ask { $whom } for a plan: { $prompt }
# $steps (Number)
inference-planned = A plan of { $steps ->
    [one] 1 step
   *[other] { $steps } steps
}; nothing of it was done
inference-no-such-files = there are no files { $path }
# $most (Number)
inference-too-many-texts = there are more than { $most } texts; ask about fewer in each call
inference-no-text = it holds no text
inference-broke-off = it failed: { $error }
inference-stopped = it was stopped
inference-empty-answer = the answer is empty
inference-no-label = the answer is not one of the labels: { $answer }
inference-no-object = it is no JSON object: { $answer }
inference-wrong-value = `{ $column }` is missing or not what the schema says
inference-not-asked = not asked
inference-no-table = the table cannot be written: { $error }
# $all (Number)
# $answered (Number)
inference-answered = { $whom } answered about { $answered } of { $all }
# $texts (Number)
inference-without-answer = { $texts } without an answer
# $texts (Number)
inference-cut-texts = { $texts } too long, read in part
inference-saved-as = saved as { $path }
# $why (Message)
inference-ended-early = ended early: { $why }. The same call asks for the rest
# $most (Number)
inference-token-limit = the limit of { $most } tokens is reached
inference-cost-limit = the task's limit of cost is reached
inference-no-record = what was answered cannot be kept: { $error }
