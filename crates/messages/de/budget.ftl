### Was eine Aufgabe sagt, wenn eine Grenze von Geld oder Zeit sie anhält.

budget-tokens = Diese Aufgabe hat { $tokens } Token verbraucht, ihre Grenze.
budget-cost = Diese Aufgabe hat { $cost } gekostet ({ $tokens } Token), ihre Grenze.
budget-time = Diese Aufgabe hat { $minutes } Minuten gearbeitet, ihre Grenze.
budget-unknown-price = Für dieses Modell ist kein Preis eingetragen, darum lässt sich die Kostengrenze der Aufgabe nicht einhalten; bisher hat sie { $tokens } Token verbraucht. Trag ihn unter `prices` in config.toml ein, oder setz sie ohne diese Grenze fort.
budget-day-tokens = Die Aufgaben von heute haben { $tokens } Token verbraucht, die Grenze für einen Tag.
budget-day-cost = Die Aufgaben von heute haben { $cost } gekostet ({ $tokens } Token), die Grenze für einen Tag.
budget-bought = Dafür gab es { $steps ->
    [one] 1 Schritt
   *[other] { $steps } Schritte
}, { $calls ->
    [one] 1 Aufruf, der etwas ändert,
   *[other] { $calls } Aufrufe, die etwas ändern,
} und { $files ->
    [one] 1 geänderte Datei
   *[other] { $files } geänderte Dateien
}.
budget-resume = „Fortsetzen“ erlaubt noch einmal so viel.
budget-resume-day = „Fortsetzen“ erlaubt für heute noch einmal so viel.
