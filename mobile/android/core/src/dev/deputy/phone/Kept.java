package dev.deputy.phone;

import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import org.json.JSONArray;
import org.json.JSONException;
import org.json.JSONObject;

/** What the app keeps next to its keys: who it is, which server, where that may be reached, and what its person chose. */
public final class Kept {
    private static final int TOKEN_BYTES = 16;
    private static final int MOST_CHARS = 1_000;

    private final JSONObject all;

    private Kept(JSONObject all) {
        this.all = all;
    }

    /** After pairing: it watches, and starts with the phone. */
    static Kept fresh(String device, String name, String fingerprint, String address) throws JSONException {
        JSONObject all = new JSONObject();
        all.put("device", device).put("name", name).put("fingerprint", fingerprint).put("host", address);
        all.put("addresses", new JSONArray().put(address)).put("watch", true).put("boot", true).put("relay", "");
        return new Kept(all);
    }

    /** What was kept, or nothing where the phone is not paired. */
    public static Kept read(String text) {
        try {
            return text == null ? null : new Kept(new JSONObject(text));
        } catch (JSONException error) {
            return null;
        }
    }

    @Override
    public String toString() {
        return all.toString();
    }

    JSONObject json() {
        return all;
    }

    public Paired paired(DeviceKey key) {
        List<String> addresses = new ArrayList<String>();
        JSONArray given = all.optJSONArray("addresses");
        for (int at = 0; given != null && at < given.length(); at++) addresses.add(given.optString(at));
        return new Paired(all.optString("device"), all.optString("fingerprint"), all.optString("host"), addresses, key,
                all.has("push") ? endpoint() : null);
    }

    public String device() {
        return all.optString("device");
    }

    /** Whether the connection is held while the app is closed. */
    public boolean watches() {
        return all.optBoolean("watch");
    }

    public boolean startsWithPhone() {
        return all.optBoolean("boot");
    }

    /** A relay's topic, `https://HOST/TOPIC`, or empty. */
    public String relay() {
        return all.optString("relay");
    }

    /** Whether a UnifiedPush app on the phone is to say when something waits. */
    public boolean isPushed() {
        return all.optBoolean("push");
    }

    /** What the push app has to say for its messages to count; empty where none does. */
    public String token() {
        return all.optString("token");
    }

    /** Where the push server takes notices for this phone, or empty as long as the push app has not said. */
    public String endpoint() {
        return all.optString("endpoint");
    }

    /** Takes over where the push server takes notices. What is not an address of one changes nothing. */
    public Kept at(String endpoint) {
        if (!endpoint.isEmpty() && (endpoint.length() > MOST_CHARS || !endpoint.matches("https://[\\w.-]+(:\\d{1,5})?/[!-~]*"))) return this;
        try {
            return new Kept(new JSONObject(all.toString()).put("endpoint", endpoint));
        } catch (JSONException error) {
            throw new IllegalStateException(error);
        }
    }

    /** Takes over what a person changed; whatever is not theirs to change stays. What is wrong changes nothing, and is named. */
    Kept with(JSONObject change) throws JSONException {
        JSONObject next = new JSONObject(all.toString());
        for (String name : new String[] {"watch", "boot"}) {
            if (change.has(name)) next.put(name, change.getBoolean(name));
        }
        if (change.has("push")) {
            // Each time another one: what an earlier push app knows opens nothing.
            byte[] token = new byte[TOKEN_BYTES];
            new SecureRandom().nextBytes(token);
            boolean isPushed = change.getBoolean("push");
            next.put("push", isPushed).put("token", isPushed ? DeviceKey.encode(token) : "").put("endpoint", "");
        }
        if (change.has("name")) next.put("name", change.getString("name"));
        if (change.has("relay")) {
            String relay = change.getString("relay").trim();
            if (!relay.isEmpty() && !relay.matches("https://[\\w.-]+(:\\d{1,5})?/[\\w-]+")) throw new JSONException("relay");
            next.put("relay", relay);
        }
        if (change.has("addresses")) {
            JSONArray addresses = change.getJSONArray("addresses");
            if (addresses.length() == 0) throw new JSONException("addresses");
            for (int at = 0; at < addresses.length(); at++) {
                if (!Address.isOne(addresses.getString(at))) throw new JSONException("addresses");
            }
            next.put("addresses", addresses);
        }
        return new Kept(next);
    }
}
