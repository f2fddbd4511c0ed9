package dev.deputy.phone;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.HttpURLConnection;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.json.JSONException;
import org.json.JSONObject;

/**
 * Fetches this phone's notices from a relay with ntfy's protocol. Notices are encrypted; other messages are ignored.
 */
public final class Relay {
    private static final int TIMEOUT_MS = 20_000;
    private static final int MOST_LINES = 500;
    private static final int MOST_LINE_CHARS = 16_384;

    private Relay() {}

    /** Returns the notices of the last `hours` by id, without those that were withdrawn since. */
    public static Map<String, JSONObject> ask(String topic, String device, SealingKey key, int hours) throws IOException {
        URL url = new URL(topic + "-" + device + "/json?poll=1&since=" + hours + "h");
        HttpURLConnection connection = (HttpURLConnection) url.openConnection();
        connection.setConnectTimeout(TIMEOUT_MS);
        connection.setReadTimeout(TIMEOUT_MS);
        connection.setInstanceFollowRedirects(false);
        try {
            if (connection.getResponseCode() != 200) throw new IOException("The relay answered " + connection.getResponseCode());
            InputStreamReader in = new InputStreamReader(connection.getInputStream(), StandardCharsets.UTF_8);
            return read(new BufferedReader(in), key);
        } finally {
            connection.disconnect();
        }
    }

    static Map<String, JSONObject> read(BufferedReader in, SealingKey key) throws IOException {
        Map<String, JSONObject> open = new LinkedHashMap<String, JSONObject>();
        for (int count = 0; count < MOST_LINES; count++) {
            String text = in.readLine();
            if (text == null) break;
            if (text.length() > MOST_LINE_CHARS) continue;
            try {
                JSONObject carried = new JSONObject(text);
                if (!carried.optString("event").equals("message")) continue;
                JSONObject notice = key.open(carried.getString("message"));
                if (notice.getBoolean("withdrawn")) open.remove(notice.getString("id"));
                else open.put(notice.getString("id"), notice);
            } catch (JSONException | GeneralSecurityException notOurs) {
                // Anyone can write to a topic. Only messages that were encrypted to this phone are accepted.
            }
        }
        return open;
    }
}
