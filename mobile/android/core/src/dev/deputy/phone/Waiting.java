package dev.deputy.phone;

import java.util.LinkedHashMap;
import java.util.Map;
import org.json.JSONArray;
import org.json.JSONException;
import org.json.JSONObject;

/**
 * The open requests and questions, folded from the host's messages. Notifications are shown and withdrawn
 * accordingly.
 */
public final class Waiting {
    private final Map<String, JSONObject> requests = new LinkedHashMap<String, JSONObject>();
    private final Map<String, JSONObject> questions = new LinkedHashMap<String, JSONObject>();
    private long seq;

    /** Returns the number of the last folded event, from which the next connection resumes. */
    public long seq() {
        return seq;
    }

    /** Returns the open requests by id, oldest first. */
    public Map<String, JSONObject> requests() {
        return new LinkedHashMap<String, JSONObject>(requests);
    }

    /** Returns the open questions by id, oldest first. */
    public Map<String, JSONObject> questions() {
        return new LinkedHashMap<String, JSONObject>(questions);
    }

    /** Folds a message from the host, and returns whether anything changed. Unknown messages are ignored. */
    public boolean take(JSONObject message) throws JSONException {
        String type = message.getString("type");
        if (type.equals("snapshot")) {
            JSONObject snapshot = message.getJSONObject("snapshot");
            seq = snapshot.getLong("seq");
            JSONObject state = snapshot.getJSONObject("state");
            replace(requests, state.optJSONArray("requests"));
            replace(questions, state.optJSONArray("questions"));
            return true;
        }
        if (!type.equals("event")) return false;
        JSONObject record = message.getJSONObject("record");
        if (record.getLong("seq") <= seq) return false;
        seq = record.getLong("seq");
        return event(record.getString("task"), record.getJSONObject("event"));
    }

    private boolean event(String task, JSONObject event) throws JSONException {
        String type = event.getString("type");
        if (type.equals("permission_requested")) return put(requests, event.getJSONObject("request"));
        if (type.equals("permission_answered")) return requests.remove(event.getString("request")) != null;
        if (type.equals("question_asked")) return put(questions, event.getJSONObject("question"));
        if (type.equals("question_answered")) return questions.remove(event.getString("request")) != null;
        if (!type.equals("stopped")) return false;
        return drop(requests, task) | drop(questions, task);
    }

    private static boolean drop(Map<String, JSONObject> from, String task) throws JSONException {
        boolean isChanged = false;
        for (JSONObject one : new LinkedHashMap<String, JSONObject>(from).values()) {
            if (one.getString("task").equals(task)) isChanged |= from.remove(one.getString("id")) != null;
        }
        return isChanged;
    }

    private static void replace(Map<String, JSONObject> all, JSONArray by) throws JSONException {
        all.clear();
        for (int at = 0; by != null && at < by.length(); at++) put(all, by.getJSONObject(at));
    }

    private static boolean put(Map<String, JSONObject> into, JSONObject one) throws JSONException {
        into.put(one.getString("id"), one);
        return true;
    }
}
