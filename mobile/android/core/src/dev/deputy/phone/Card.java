package dev.deputy.phone;

import org.json.JSONArray;
import org.json.JSONObject;

/** The notification for a request, and whether the request can be allowed from it. */
public final class Card {
    /** The approximate length of text that an expanded notification shows, in characters. */
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
        // Requests that do not fit, or that contain files and trees, are decided in the app.
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

    /** Returns a text in which nothing is hidden: characters that change how the rest is displayed are escaped. */
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
