package dev.deputy.phone;

import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import org.json.JSONArray;
import org.json.JSONException;
import org.json.JSONObject;

/** The app's stored state besides its keys: the device, the server and its addresses, and the user's settings. */
public final class Kept {
    private static final int TOKEN_BYTES = 16;
    private static final int MOST_CHARS = 1_000;

    private final JSONObject all;

    private Kept(JSONObject all) {
        this.all = all;
    }

    /** Returns the state after pairing: it watches, and starts with the phone. */
    static Kept fresh(String device, String name, String fingerprint, String address) throws JSONException {
        JSONObject all = new JSONObject();
        all.put("device", device).put("name", name).put("fingerprint", fingerprint).put("host", address);
        all.put("addresses", new JSONArray().put(address)).put("watch", true).put("boot", true).put("relay", "");
        return new Kept(all);
    }

    /** Parses the stored state. Returns null if the phone is not paired. */
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

    /** Returns whether the app stays connected while it is closed. */
    public boolean watches() {
        return all.optBoolean("watch");
    }

    public boolean startsWithPhone() {
        return all.optBoolean("boot");
    }

    /** Returns a relay's topic, `https://HOST/TOPIC`, or an empty string. */
    public String relay() {
        return all.optString("relay");
    }

    /** Returns whether a UnifiedPush app on the phone delivers notices. */
    public boolean isPushed() {
        return all.optBoolean("push");
    }

    /** Returns the token that authenticates messages from the push app. Empty if push is off. */
    public String token() {
        return all.optString("token");
    }

    /** Returns the push server's address for this phone. Empty until the push app has reported it. */
    public String endpoint() {
        return all.optString("endpoint");
    }

    /** Returns the state with a new push address. An invalid address changes nothing. */
    public Kept at(String endpoint) {
        if (!endpoint.isEmpty() && (endpoint.length() > MOST_CHARS || !endpoint.matches("https://[\\w.-]+(:\\d{1,5})?/[!-~]*"))) return this;
        try {
            return new Kept(new JSONObject(all.toString()).put("endpoint", endpoint));
        } catch (JSONException error) {
            throw new IllegalStateException(error);
        }
    }

    /**
     * Returns the state with the user's changes. Other fields stay unchanged. An invalid change throws an exception
     * that names it.
     */
    Kept with(JSONObject change) throws JSONException {
        JSONObject next = new JSONObject(all.toString());
        for (String name : new String[] {"watch", "boot"}) {
            if (change.has(name)) next.put(name, change.getBoolean(name));
        }
        if (change.has("push")) {
            // A new token each time, so that a previous push app's token becomes useless.
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
