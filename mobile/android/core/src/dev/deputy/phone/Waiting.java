package dev.deputy.phone;

import java.util.LinkedHashMap;
import java.util.Map;
import org.json.JSONArray;
import org.json.JSONException;
import org.json.JSONObject;

/** The requests that wait, folded from the host's messages: what a notification is shown for, and withdrawn with. */
public final class Waiting {
    private final Map<String, JSONObject> open = new LinkedHashMap<String, JSONObject>();
    private long seq;

    /** The last event that is in here: where the next connection resumes. */
    public long seq() {
        return seq;
    }

    /** Open requests by id, oldest first. */
    public Map<String, JSONObject> open() {
        return new LinkedHashMap<String, JSONObject>(open);
    }

    /** Takes in a message of the host's; what it does not know is passed over. */
    public void take(JSONObject message) throws JSONException {
        String type = message.getString("type");
        if (type.equals("snapshot")) {
            JSONObject snapshot = message.getJSONObject("snapshot");
            seq = snapshot.getLong("seq");
            open.clear();
            JSONArray requests = snapshot.getJSONObject("state").optJSONArray("requests");
            for (int at = 0; requests != null && at < requests.length(); at++) put(requests.getJSONObject(at));
        } else if (type.equals("event")) {
            JSONObject record = message.getJSONObject("record");
            if (record.getLong("seq") <= seq) return;
            seq = record.getLong("seq");
            event(record.getString("task"), record.getJSONObject("event"));
        }
    }

    private void event(String task, JSONObject event) throws JSONException {
        String type = event.getString("type");
        if (type.equals("permission_requested")) put(event.getJSONObject("request"));
        else if (type.equals("permission_answered")) open.remove(event.getString("request"));
        else if (type.equals("stopped")) {
            for (JSONObject request : open().values()) {
                if (request.getString("task").equals(task)) open.remove(request.getString("id"));
            }
        }
    }

    private void put(JSONObject request) throws JSONException {
        open.put(request.getString("id"), request);
    }
}
