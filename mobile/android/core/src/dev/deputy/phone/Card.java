package dev.deputy.phone;

import org.json.JSONArray;
import org.json.JSONObject;

/** A request as a notification shows it, and whether it may be allowed from there. */
public final class Card {
    /** A notification that is open shows about this much. */
    private static final int MOST_CHARS = 400;

    public final String title;
    public final String text;
    public final boolean mayAllow;

    public Card(JSONObject request) {
        JSONObject details = request.optJSONObject("details");
        String command = details == null || details.isNull("command") ? "" : details.optString("command");
        String summary = visible(Phrase.in(request, "summary"));
        String whole = visible(command);
        title = cut(summary);
        text = whole.isEmpty() || summary.contains(whole) ? summary : whole;
        // What cannot be read whole, or has files and trees to look at, is decided in the app.
        boolean isWhole = !whole.isEmpty() && text.length() <= MOST_CHARS;
        mayAllow = isWhole && !Answer.needsUnlocking(request) && offersOnce(request.optJSONArray("offered"));
    }

    private static boolean offersOnce(JSONArray offered) {
        for (int at = 0; offered != null && at < offered.length(); at++) {
            JSONObject lifetime = offered.optJSONObject(at).optJSONObject("lifetime");
            boolean isOnce = lifetime != null && lifetime.optString("for").equals("once");
            if (isOnce && !offered.optJSONObject(at).optBoolean("wider")) return true;
        }
        return false;
    }

    public static String cut(String text) {
        return text.length() <= MOST_CHARS ? text : text.substring(0, MOST_CHARS) + "…";
    }

    /** A text in which nothing hides: what would change how the rest is shown is written out. */
    public static String visible(String text) {
        StringBuilder shown = new StringBuilder();
        for (int at = 0; at < text.length();) {
            int letter = text.codePointAt(at);
            at += Character.charCount(letter);
            int type = Character.getType(letter);
            boolean isHidden = type == Character.CONTROL || type == Character.FORMAT || type == Character.SURROGATE
                    || type == Character.PRIVATE_USE || type == Character.UNASSIGNED
                    || type == Character.LINE_SEPARATOR || type == Character.PARAGRAPH_SEPARATOR
                    || type == Character.SPACE_SEPARATOR && letter != ' ';
            if (letter == '\n') shown.append("⏎ ");
            else if (isHidden) shown.append(String.format(java.util.Locale.ROOT, "\\u{%x}", letter));
            else shown.appendCodePoint(letter);
        }
        return shown.toString();
    }
}
