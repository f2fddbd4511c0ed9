sidecar-asked = { $host } wurde nach dem Modell { $model } gefragt: { $why }
sidecar-asked-times = { $host } wurde { $attempts ->
    [one] einmal
   *[other] { $attempts } Mal
 } nach dem Modell { $model } gefragt: { $why }
sidecar-key-refused = der Schlüssel wurde abgelehnt ({ $said }). Gib einen gültigen ein.
sidecar-no-key = es ist kein Schlüssel eingestellt ({ $said }). Gib einen ein.
sidecar-account-may-not = das Konto darf das nicht ({ $said }). Prüfe beim Anbieter Tarif und Guthaben.
sidecar-too-many-requests = zu viele Anfragen ({ $said }). Warte, oder wähle ein anderes Modell oder einen anderen Anbieter.
sidecar-conversation-too-long = das Gespräch ist ihm zu lang ({ $said }). Senke `context_tokens` im Profil, oder wähle ein Modell mit größerem Kontext.
sidecar-no-such-model = der Anbieter hat es nicht ({ $said }). Wähle ein anderes Modell.
sidecar-provider-failed = beim Anbieter ist ein Fehler aufgetreten ({ $said }). Versuch es später noch einmal, oder sieh auf seiner Statusseite nach.
sidecar-wrong-address = unter { $address } antwortet kein Modell ({ $said }). Korrigiere die Adresse (`base_url`).
sidecar-request-refused = die Anfrage wurde abgelehnt ({ $said }). Prüfe die Einstellungen des Backends.
sidecar-no-event = seine Antwort enthält kein Ereignis. Prüfe, ob `base_url` die Adresse dieses Anbieters ist.
sidecar-answer-too-long = seine Antwort ist länger als { $limit } MiB und wurde nicht zu Ende gelesen. Setze `max_output_tokens`, oder prüfe, was unter `base_url` antwortet.
sidecar-no-json = die Antwort ist kein JSON ({ $error }), sie beginnt mit { $beginning }. Prüfe, ob `base_url` die Adresse dieses Anbieters ist.
sidecar-no-object = die Antwort ist JSON, aber kein Objekt. Prüfe, ob `base_url` die Adresse dieses Anbieters ist.
sidecar-no-connection-within = keine Verbindung innerhalb von connect_timeout_secs = { $secs }. Prüfe das Netz und `base_url`.
sidecar-first-words-late = die Antwort begann nicht innerhalb von first_token_timeout_secs = { $secs }. Erhöhe den Wert für ein langsames Modell, etwa mit `deputy config set backends.{ $backend }.first_token_timeout_secs 600`.
sidecar-silent = er hat timeout_secs = { $secs } lang nicht geantwortet. Erhöhe den Wert für ein langsames Modell, etwa mit `deputy config set backends.{ $backend }.timeout_secs 600`.
sidecar-answer-took-too-long = die Antwort dauerte länger als total_timeout_secs = { $secs }. Erhöhe den Wert, setze `max_output_tokens`, oder wähle ein schnelleres Modell.
sidecar-cannot-be-reached = { $address } ist nicht zu erreichen ({ $error }). Prüfe, ob der Server läuft und ob `base_url` stimmt.
sidecar-cannot-be-sent = die Anfrage lässt sich nicht senden ({ $error }). Prüfe `base_url`, `extra_headers` und den Schlüssel auf Zeichen, die nicht dorthin gehören.
sidecar-cannot-be-unpacked = seine Antwort lässt sich nicht entpacken ({ $error }). Prüfe `base_url`.
sidecar-connection-broke-off = die Verbindung brach ab ({ $error }). Versuch es noch einmal; bleibt es so, sieh im Protokoll oder auf der Statusseite des Anbieters nach.
sidecar-broke-off-in-answer = die Verbindung brach mitten in der Antwort ab. Versuch es noch einmal; bleibt es so, sieh im Protokoll oder auf der Statusseite des Anbieters nach.
sidecar-nothing-of-a-model = die Antwort enthält nichts von einem Modell. Prüfe, ob `base_url` die Adresse dieses Anbieters ist.
sidecar-empty-answer = es kam eine leere Antwort. Versuch es noch einmal, oder nimm ein anderes Modell.
sidecar-call-cut-off = es schrieb einen Aufruf als Text, der an der Grenze der Ausgabe abbrach; erhöhe `max_output_tokens`. Versuch es noch einmal, oder nimm ein anderes Modell.
sidecar-call-unreadable = es schrieb einen Aufruf als Text, der sich nicht lesen lässt. Versuch es noch einmal, oder nimm ein anderes Modell; `deputy backends check` probiert, ob ein Modell Werkzeuge aufrufen kann.
sidecar-broke-off-because = die Antwort brach ab: der Server beendete sie aus dem Grund `{ $reason }`. Versuch es noch einmal; wenn es öfter vorkommt, sieh ins Protokoll oder auf die Statusseite des Anbieters.
sidecar-broke-off-without-reason = die Antwort brach vielleicht ab: der Server nannte keinen Grund für ihr Ende. Versuch es noch einmal.
sidecar-limit-before-answer = die Grenze der Ausgabe war erreicht, bevor die Antwort begann; erhöhe `max_output_tokens`. Versuch es noch einmal, oder nimm ein anderes Modell.
sidecar-content-filter = der Inhaltsfilter des Anbieters hielt die Antwort zurück. Versuch es noch einmal, oder nimm ein anderes Modell.
sidecar-repeats-itself = es sagt immer wieder dasselbe und wurde angehalten. Versuche es noch einmal, setze `temperature`, oder nimm ein anderes Modell.
sidecar-embeddings-unusable = { $host } wurde nach Vektoren gefragt: die Antwort ist nicht zu gebrauchen ({ $error }).
sidecar-embeddings-of-other-number = { $host } wurde nach { $expected } Vektoren gefragt: Es kamen { $got }, oder verschieden lange. Wähle ein anderes `embedding_model`.
sidecar-setting-is-wrong = Eine Einstellung des Backends { $backend } ist falsch: { $error }. Verbessere sie mit `deputy config set backends.{ $backend }.SETTING VALUE`.
sidecar-no-web-address = Die base_url { $address } des Backends { $backend } ist keine Adresse mit http oder https. Setze sie mit `deputy config set backends.{ $backend }.base_url http://127.0.0.1:11434/v1`.
sidecar-no-embedding-model = Das Backend { $backend } hat kein Modell für Vektoren. Setze eines mit `deputy config set backends.{ $backend }.embedding_model NAME`.
sidecar-no-model = Das Backend { $backend } hat kein Modell. `deputy backends check` zeigt, was es gibt; setze eines mit `deputy config set backends.{ $backend }.model NAME`.
sidecar-no-backend = Es gibt kein Backend { $name }: Es wird keines dieses Namens mitgeliefert, und { $path } ist nicht lesbar. Es gibt: { $names }. Wähle eines mit `deputy config set backend NAME`.
sidecar-settings-no-object = Die Einstellungen des Backends { $name } sind kein Objekt: { $error }.
sidecar-not-initialized = Eine Anfrage kam vor `initialize`. Sende zuerst `initialize`.
sidecar-other-protocol = Der Kern spricht Protokoll { $core }, dieser Sidecar { $own }. Installiere beide aus derselben Version von Deputy.
sidecar-streamed-too-much = Das Backend { $backend } sandte mehr als { $most } Zeichen ohne einen Plan und wurde angehalten. Setze `max_output_tokens`, oder wähle ein anderes Modell.
sidecar-ended-without-plan = Das Backend { $backend } endete ohne Plan. Sein `plan` muss als Letztes einen liefern.
sidecar-backend-cannot = Das Backend { $backend } hat kein `{ $member }`. Wähle eines, das es hat, etwa mit `deputy config set backend openai_compatible`.
sidecar-conversation-unreadable = Das Gespräch ist nicht lesbar: { $error }. Installiere Kern und Sidecar aus derselben Version.
sidecar-taken-back = Die Anfrage wurde zurückgenommen, bevor sie beantwortet war.
sidecar-failed = Der Sidecar ist an { $kind } gescheitert: { $error }. Sein Protokoll sagt mehr.
sidecar-parameters-unfit = Die Angaben für { $method } passen nicht: { $error }.
sidecar-not-fetched = { $host } sollte das Modell { $model } herunterladen: { $said }. Prüfe den Namen auf ollama.com, oder lade es mit `ollama pull`.
sidecar-not-ollama = Was unter { $host } antwortet, nennt keine Modelle, wie Ollama es tut. Setze base_url auf die Adresse von Ollama, oder wähle das Backend openai_compatible.
sidecar-gguf-package-missing = Das Backend local_gguf braucht das Paket llama-cpp-python, das sich nicht laden lässt: { $error }. Installiere es mit `make local-gguf` in die Umgebung des Sidecars, oder wähle ein anderes Backend.
sidecar-gguf-not-loaded = Die Modelldatei { $path } lässt sich nicht laden: { $error }. Vielleicht ist sie abgeschnitten, zu groß für den Speicher dieses Rechners oder neuer als das Paket llama-cpp-python.
sidecar-gguf-not-read = Die Modelldatei { $path } lässt sich nicht lesen: { $error }. Setze sie mit `deputy config set backends.local_gguf.model /pfad/zur/datei.gguf`.
sidecar-gguf-is-none = { $path } ist keine GGUF-Datei. Setze `backends.local_gguf.model` auf eine.
sidecar-gguf-cut-off = Modelldatei { $path } gefragt: Der Plan war an der Ausgabegrenze noch nicht vollständig. Erhöhe `backends.local_gguf.max_output_tokens`, oder wähle ein anderes Modell.
sidecar-gguf-empty = Modelldatei { $path } gefragt: Die Antwort war leer. Versuche es noch einmal, oder wähle ein anderes Modell.
sidecar-gguf-in-circles = Modelldatei { $path } gefragt: Sie wiederholt sich immerzu und wurde angehalten. Versuche es noch einmal, erhöhe `temperature`, oder wähle ein anderes Modell.
sidecar-gguf-failed = llama.cpp konnte nicht antworten: { $error }.
sidecar-gguf-too-long = Das Gespräch ist zu lang für die Modelldatei { $path }: { $error }. Erhöhe `backends.local_gguf.context_tokens`, so weit das Modell reicht.
