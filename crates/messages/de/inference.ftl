### Was `python_inference` sagt: ein Modell, das nach vielen Texten gefragt wird.

inference-no-models-here = hier kann kein Modell gefragt werden
inference-some-model = ein Modell
inference-no-model-for-texts = es gibt kein Modell zu fragen: diese Aufgabe arbeitet ohne eins. Setze `roles.cheap` auf `backend` oder `backend/modell`
inference-only-a-person-chooses = { $backend } kann nur der Benutzer wählen, weil es nicht sagt, wohin es Texte schickt: über `roles.cheap`
inference-expected-prompt = erwartet sind 1 bis { $most } Bytes
inference-expected-texts = erwartet ist `files` oder `texts`
inference-expected-labels = erwartet sind 2 bis { $most } Bezeichnungen
inference-expected-schema = erwartet ist das JSON-Schema eines Objekts mit 1 bis { $most } Eigenschaften, jede davon string, number, integer, boolean oder array
inference-labels-or-schema = erwartet ist `labels` oder `schema`, nicht beides
inference-only-complete-has-forms = erwartet ist `complete`, wo es `labels` oder ein `schema` gibt
inference-about-texts = { $texts ->
    [one] 1 Text
   *[other] { $texts } Texten
}
inference-about-both = { $files } und { $texts ->
    [one] 1 Text
   *[other] { $texts } Texten
}
inference-ask = { $whom } fragen zu { $about }: { $prompt }
inference-ask-and-save = { $whom } fragen zu { $about }, in { $path }: { $prompt }
inference-in-background = { $what }, im Hintergrund
inference-ask-for-plan = { $whom } nach einem Plan fragen: { $prompt }
inference-planned = Ein Plan mit { $steps ->
    [one] 1 Schritt
   *[other] { $steps } Schritten
}; nichts davon wurde ausgeführt
inference-no-such-files = es gibt keine Dateien { $path }
inference-too-many-texts = es sind mehr als { $most } Texte; frage mit jedem Aufruf nach weniger
inference-no-text = es enthält keinen Text
inference-broke-off = es ist fehlgeschlagen: { $error }
inference-stopped = es wurde gestoppt
inference-empty-answer = die Antwort ist leer
inference-no-label = sie ist keine der Bezeichnungen: { $answer }
inference-no-object = sie ist kein JSON-Objekt: { $answer }
inference-wrong-value = `{ $column }` fehlt oder passt nicht zum Schema
inference-not-asked = nicht gefragt
inference-no-table = die Tabelle lässt sich nicht schreiben: { $error }
inference-answered = { $whom } hat zu { $answered } von { $all } geantwortet
inference-without-answer = { $texts } ohne Antwort
inference-cut-texts = { $texts } zu lang, nur teilweise gelesen
inference-saved-as = gespeichert als { $path }
inference-ended-early = vorzeitig beendet: { $why }. Derselbe Aufruf fragt nach dem Rest
inference-token-limit = das Limit von { $most } Token ist erreicht
inference-cost-limit = das Kostenlimit der Aufgabe ist erreicht
inference-no-record = die Antworten lassen sich nicht aufbewahren: { $error }
