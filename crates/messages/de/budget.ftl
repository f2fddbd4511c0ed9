### Was eine Aufgabe sagt, wenn eine Grenze von Geld oder Zeit sie anhält.

budget-tokens = { $tokens } Tokens sind verbraucht, die Grenze dieser Aufgabe.
budget-cost = { $cost } sind ausgegeben ({ $tokens } Tokens), die Grenze dieser Aufgabe.
budget-time = Sie hat { $minutes } Minuten gearbeitet, die Grenze dieser Aufgabe.
budget-unknown-price = Der Preis dieses Modells ist unbekannt, darum kann die Kostengrenze dieser Aufgabe nicht eingehalten werden; bisher hat sie { $tokens } Tokens verbraucht. Trag ihn unter `prices` in config.toml ein oder setz ohne diese Grenze fort.
budget-day-tokens = Alle Aufgaben von heute haben { $tokens } Tokens verbraucht, die Grenze eines Tages.
budget-day-cost = Alle Aufgaben von heute haben { $cost } gekostet ({ $tokens } Tokens), die Grenze eines Tages.
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
