package dev.deputy.phone;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.GeneralSecurityException;
import javax.net.ssl.SSLSocket;
import org.json.JSONException;
import org.json.JSONObject;

/** A proved connection to the host: the challenge is signed, the hello said, and messages come. One thread reads. */
public final class HostLine implements Closeable {
    private static final int CONNECT_MS = 5_000;
    /** The host pings; one that is silent longer than this is gone. */
    private static final int SILENCE_MS = 75_000;
    private static final int PROTOCOL = 1;

    private final WebSocket socket;
    /** How far the host's clock is ahead of the phone's. */
    private final long aheadMs;
    private final JSONObject welcome;

    private HostLine(WebSocket socket, long aheadMs, JSONObject welcome) {
        this.socket = socket;
        this.aheadMs = aheadMs;
        this.welcome = welcome;
    }

    /**
     * Connects at the first address where the paired host answers. What answers there with another key is not the host,
     * and is told nothing. `resumeFrom` is the last event that is known, or 0.
     */
    public static HostLine open(Paired paired, long resumeFrom)
            throws IOException, GeneralSecurityException, JSONException {
        IOException last = new IOException("There is no address to try.");
        for (String address : paired.addresses) {
            try {
                return open(paired, address, resumeFrom);
            } catch (HostRefused refused) {
                // It was the host, and it said no: no other address would say otherwise.
                throw refused;
            } catch (IOException error) {
                last = error;
            }
        }
        throw last;
    }

    private static HostLine open(Paired paired, String address, long resumeFrom)
            throws IOException, GeneralSecurityException, JSONException {
        int colon = address.lastIndexOf(':');
        String name = address.substring(0, colon).replaceAll("[\\[\\]]", "");
        SSLSocket tls = (SSLSocket) new Pin(paired.fingerprint).sockets().createSocket();
        try {
            tls.connect(new InetSocketAddress(name, Integer.parseInt(address.substring(colon + 1))), CONNECT_MS);
            tls.setSoTimeout(SILENCE_MS);
            tls.setTcpNoDelay(true);
            tls.startHandshake();
            WebSocket socket = new WebSocket(tls, address, "/ws");
            JSONObject challenge = new JSONObject(socket.receive());
            if (!challenge.getString("type").equals("challenge")) throw new IOException("The host sent no challenge.");
            long ahead = challenge.getLong("now_ms") - System.currentTimeMillis();
            socket.send(hello(paired, challenge.getString("challenge"), resumeFrom).toString());
            JSONObject welcome = new JSONObject(socket.receive());
            if (welcome.getString("type").equals("error")) {
                JSONObject error = welcome.getJSONObject("error");
                throw new HostRefused(error.getString("code"), error.getString("message"));
            }
            return new HostLine(socket, ahead, welcome);
        } catch (IOException | JSONException | GeneralSecurityException error) {
            tls.close();
            throw error;
        }
    }

    private static JSONObject hello(Paired paired, String challenge, long resumeFrom)
            throws GeneralSecurityException, JSONException {
        String signature = paired.key.sign("deputy-connect-1", paired.fingerprint, paired.device, challenge);
        JSONObject proof = new JSONObject();
        proof.put("proof", "device").put("device", paired.device).put("signature", signature);
        JSONObject hello = new JSONObject();
        hello.put("type", "hello").put("protocol", PROTOCOL).put("follow", true).put("brief", true);
        hello.put("resume_from", resumeFrom > 0 ? (Object) resumeFrom : JSONObject.NULL).put("proof", proof);
        return hello;
    }

    /** What the host said to the hello. */
    public JSONObject welcome() {
        return welcome;
    }

    /** The next message. */
    public JSONObject next() throws IOException, JSONException {
        return new JSONObject(socket.receive());
    }

    /** Milliseconds since 1970 by the host's clock, which signed answers are held against. */
    public long hostNowMs() {
        return System.currentTimeMillis() + aheadMs;
    }

    /** Sends a command under an id that the phone made; the same id again is the same command. */
    public void command(String id, JSONObject command) throws IOException, JSONException {
        JSONObject envelope = new JSONObject().put("id", id).put("command", command);
        socket.send(new JSONObject().put("type", "command").put("envelope", envelope).toString());
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
