package dev.deputy.phone;

import org.json.JSONObject;

/** A text from the host: a plain string, or a catalog message with its English text. */
public final class Phrase {
    private Phrase() {}

    /** Returns the text of a field. Empty if the field is missing. */
    public static String in(JSONObject holder, String field) {
        JSONObject message = holder.optJSONObject(field);
        return message == null ? holder.optString(field) : message.optString("text");
    }
}
