### Warum ein Modell keinen Plan gab, und was aus dem Sidecar wurde, der es fragt.

planner-taken-back = Die Anfrage an das Modell wurde abgebrochen.
planner-shut-down = Der Sidecar wurde beendet, daher wurde die Anfrage abgebrochen. Starte Deputy neu, um weiterzumachen.
planner-timed-out = Das Modell hat auf `{ $method }` innerhalb von { $secs } s nicht geantwortet. Prüfe, ob sein Server läuft und nicht überlastet ist, oder wähle ein kleineres Modell.
planner-bad-answer = Die Antwort des Sidecars ist nicht zu gebrauchen: { $what }. Versuch es noch einmal; bleibt es so, führe `deputy backends check` aus.
planner-no-single-texts = Dieses Backend beantwortet keine einzelnen Texte.
planner-no-models = Dieses Backend hat keine Modelle, die es auflisten könnte.
planner-does-not-start = Dieses Backend startet nicht.
planner-address-changed = Die Adresse des Backends `{ $backend }` wurde eben geändert. Es wird noch einmal versucht.
planner-sidecar-crashed = Der Sidecar { $why }. Er wird neu gestartet, wenn er wieder gebraucht wird; geschieht das noch einmal, führe `deputy doctor` aus.
planner-with-last-words = { $why }; seine letzte Ausgabe: { $words }
planner-closed-its-output = schloss seine Ausgabe
planner-line-too-long = schrieb eine Zeile von mehr als { $most } Bytes
planner-did-not-greet = hat sich innerhalb von { $secs } s nicht gemeldet
planner-no-ping = hat innerhalb von { $secs } s nicht reagiert
planner-cannot-be-started = lässt sich als `{ $program }` nicht starten ({ $error })
planner-other-protocol = spricht Version { $its } des Protokolls und Deputy Version { $ours }: Sie stammen aus verschiedenen Versionen, installiere sie zusammen
planner-refused-to-start = wollte nicht starten: { $error }
planner-stray-output = schrieb mehr als { $most } Bytes unerwarteter Ausgabe
planner-died = ist abgestürzt ({ $status })
planner-request-not-json = Die Anfrage `{ $method }` lässt sich nicht als JSON schreiben: { $error }. Das ist ein Fehler in Deputy; bitte melde ihn.
planner-request-too-long = Die Anfrage `{ $method }` ist { $bytes } Bytes lang, der Sidecar nimmt höchstens { $most } an. Senke die Grenze `context_tokens` der Aufgabe, oder beginne ein neues Gespräch.
planner-failed-without-reason = Der Sidecar ist fehlgeschlagen, ohne einen Grund zu nennen. Führe `deputy backends check` aus.
