### Warum ein Modell keinen Plan gab, und was aus dem Beiwagen wurde, der es fragt.

planner-taken-back = Die Anfrage an das Modell wurde zurückgenommen.
planner-shut-down = Der Beiwagen wurde beendet, daher wurde die Anfrage zurückgenommen. Starte Deputy neu, um weiterzumachen.
planner-timed-out = Das Modell hat auf `{ $method }` innerhalb von { $secs } s nicht geantwortet. Prüfe, ob sein Server läuft und nicht überlastet ist, oder wähle ein kleineres Modell.
planner-bad-answer = Die Antwort des Beiwagens ist nicht zu gebrauchen: { $what }. Versuch es noch einmal; bleibt es so, führe `deputy backends check` aus.
planner-no-single-texts = Dieser Planer beantwortet keine einzelnen Texte.
planner-no-models = Dieser Planer hat keine Modelle aufzuzählen.
planner-does-not-start = Dieser Planer startet nicht.
planner-address-changed = Die Adresse des Backends `{ $backend }` wurde eben geändert. Es wird noch einmal gefragt.
planner-sidecar-crashed = Der Beiwagen { $why }. Er wird neu gestartet, wenn er wieder gebraucht wird; geschieht das noch einmal, führe `deputy doctor` aus.
planner-with-last-words = { $why }; seine letzten Worte: { $words }
planner-closed-its-output = schloss seine Ausgabe
planner-line-too-long = schrieb eine Zeile von mehr als { $most } Bytes
planner-did-not-greet = grüßte innerhalb von { $secs } s nicht
planner-no-ping = gab innerhalb von { $secs } s kein Lebenszeichen
planner-cannot-be-started = lässt sich als `{ $program }` nicht starten ({ $error })
planner-other-protocol = spricht Version { $its } des Protokolls und Deputy Version { $ours }: Sie sind aus verschiedenen Ausgaben, installiere sie zusammen
planner-refused-to-start = wollte nicht starten: { $error }
planner-stray-output = schrieb mehr als { $most } Bytes, die niemand wollte
planner-died = ist abgestürzt ({ $status })
planner-request-not-json = Die Anfrage `{ $method }` lässt sich nicht als JSON schreiben: { $error }. Das ist ein Fehler in Deputy; bitte melde ihn.
planner-request-too-long = Die Anfrage `{ $method }` ist { $bytes } Bytes lang, der Beiwagen nimmt { $most }. Senke die Grenze `context_tokens` der Aufgabe, oder beginne ein neues Gespräch.
planner-failed-without-reason = Der Beiwagen ist gescheitert und hat nicht gesagt, warum. Führe `deputy backends check` aus.
