package dev.deputy.phone;

import org.json.JSONObject;

/** What the host says: a bare text, or a message of its catalogue with the text in English. */
public final class Phrase {
    private Phrase() {}

    /** The words of a field; empty where it has none. */
    public static String in(JSONObject holder, String field) {
        JSONObject message = holder.optJSONObject(field);
        return message == null ? holder.optString(field) : message.optString("text");
    }
}
