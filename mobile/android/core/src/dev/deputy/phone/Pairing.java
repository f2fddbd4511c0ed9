package dev.deputy.phone;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URL;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HashMap;
import java.util.Map;
import javax.net.ssl.HostnameVerifier;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLSession;
import org.json.JSONException;
import org.json.JSONObject;

/** The device's side of pairing: the scanned code, the number to compare, and the host's confirmation. */
public final class Pairing {
    private static final int TIMEOUT_MS = 20_000;
    /** Accepts any host name, because the pinned key identifies the server. */
    private static final HostnameVerifier ANY_NAME = new HostnameVerifier() {
        @Override
        public boolean verify(String name, SSLSession session) {
            return true;
        }
    };

    private final String address;
    private final String code;
    private final String fingerprint;
    private final DeviceKey key;
    private final SealingKey sealing;

    /**
     * Parses the link of a code, `https://HOST:PORT/m/#pair=CODE&pin=FINGERPRINT`, or the equivalent app
     * link, `deputy://pair#at=HOST:PORT&pair=CODE&pin=FINGERPRINT`.
     */
    public Pairing(String link, DeviceKey key, SealingKey sealing) {
        Map<String, String> parts = parts(link);
        if (parts == null) throw new IllegalArgumentException("This is not a code that pairs a phone with Deputy.");
        address = parts.get("at");
        code = parts.get("pair");
        fingerprint = parts.get("pin");
        this.key = key;
        this.sealing = sealing;
    }

    /** Returns the address, code and fingerprint of a link. Null if it is not a pairing link. */
    public static Map<String, String> parts(String link) {
        URI whole;
        try {
            whole = URI.create(link.trim());
        } catch (IllegalArgumentException error) {
            return null;
        }
        boolean isPage = "https".equals(whole.getScheme());
        boolean isApp = "deputy".equals(whole.getScheme()) && "pair".equals(whole.getAuthority());
        if (!(isPage || isApp) || whole.getRawFragment() == null) return null;
        Map<String, String> found = new HashMap<String, String>();
        for (String part : whole.getRawFragment().split("&")) {
            int equals = part.indexOf('=');
            if (equals > 0) found.put(part.substring(0, equals), part.substring(equals + 1));
        }
        if (isPage) found.put("at", String.valueOf(whole.getRawAuthority()));
        boolean isWhole = found.containsKey("pair") && found.containsKey("pin") && found.containsKey("at");
        return isWhole && Address.isOne(found.get("at")) ? found : null;
    }

    /** Sends the code and the public keys. */
    public void claim(String name) throws IOException, GeneralSecurityException, JSONException {
        JSONObject claim = new JSONObject();
        claim.put("code", code).put("name", name).put("sign_key", key.point()).put("seal_key", sealing.point());
        post("/api/v1/pairing", claim);
    }

    /** Returns the six digits, computed from what this side has seen. */
    public String number() throws GeneralSecurityException {
        String text = "deputy-number-1\n" + fingerprint + "\n" + code + "\n" + key.point() + "\n" + sealing.point();
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        long first = ByteBuffer.wrap(digest).getInt() & 0xffff_ffffL;
        return String.format(java.util.Locale.ROOT, "%06d", first % 1_000_000);
    }

    /**
     * Reports that the user compared the numbers, and returns the host's stage. Called repeatedly until the desktop
     * has confirmed.
     */
    public JSONObject finish() throws IOException, GeneralSecurityException, JSONException {
        JSONObject finish = new JSONObject();
        finish.put("code", code).put("signature", key.sign("deputy-pair-1", fingerprint, code, number()));
        return post("/api/v1/pairing/finish", finish);
    }

    /** Returns the state to store after a pairing whose stage is `paired`. */
    public Kept kept(JSONObject stage) throws JSONException {
        JSONObject device = stage.getJSONObject("device");
        return Kept.fresh(device.getString("id"), device.getString("name"), fingerprint, address);
    }

    private JSONObject post(String path, JSONObject body) throws IOException, GeneralSecurityException, JSONException {
        URL url = new URL("https://" + address + path);
        HttpsURLConnection connection = (HttpsURLConnection) url.openConnection();
        connection.setSSLSocketFactory(new Pin(fingerprint).sockets());
        connection.setHostnameVerifier(ANY_NAME);
        connection.setConnectTimeout(TIMEOUT_MS);
        connection.setReadTimeout(TIMEOUT_MS);
        connection.setInstanceFollowRedirects(false);
        connection.setDoOutput(true);
        connection.setRequestProperty("Content-Type", "application/json");
        connection.setRequestProperty("Authorization", "none");
        connection.getOutputStream().write(body.toString().getBytes(StandardCharsets.UTF_8));
        boolean isDone = connection.getResponseCode() / 100 == 2;
        InputStream stream = isDone ? connection.getInputStream() : connection.getErrorStream();
        JSONObject answer = new JSONObject(read(stream));
        if (!isDone) throw new HostRefused(answer.getString("code"), Phrase.in(answer, "message"));
        return answer;
    }

    private static String read(InputStream stream) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        byte[] part = new byte[4096];
        for (int count = stream.read(part); count >= 0; count = stream.read(part)) all.write(part, 0, count);
        return new String(all.toByteArray(), StandardCharsets.UTF_8);
    }
}
