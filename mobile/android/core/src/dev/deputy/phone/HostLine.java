package dev.deputy.phone;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.GeneralSecurityException;
import javax.net.ssl.SSLSocket;
import org.json.JSONException;
import org.json.JSONObject;

/** A connection to the paired host: its challenge is signed with the hello, then messages come. One thread reads. */
public final class HostLine implements Closeable {
    private static final int CONNECT_MS = 5_000;
    /** The host pings; one that is silent longer than this is gone. */
    private static final int SILENCE_MS = 75_000;
    private static final int PROTOCOL = 1;

    /** The device and its push address as a host last confirmed them. They change while nothing is connected, so each connection compares. */
    private static volatile String said = "";

    /** The command that says it, until the host has answered. */
    private volatile String saying;
    private final Paired paired;
    private final WebSocket socket;
    private final String challenge;
    /** How far the host's clock is ahead of the phone's. */
    private final long aheadMs;

    private HostLine(Paired paired, WebSocket socket, JSONObject challenge) throws JSONException {
        this.paired = paired;
        this.socket = socket;
        this.challenge = challenge.getString("challenge");
        aheadMs = challenge.getLong("now_ms") - System.currentTimeMillis();
    }

    /**
     * Connects at the first address where the paired host answers. What answers there with another key is not the host,
     * and gets nothing.
     */
    public static HostLine connect(Paired paired) throws IOException, GeneralSecurityException, JSONException {
        IOException last = new IOException("There is no address to try.");
        for (String address : paired.addresses) {
            try {
                return connect(paired, address);
            } catch (IOException error) {
                last = error;
            }
        }
        throw last;
    }

    private static HostLine connect(Paired paired, String address)
            throws IOException, GeneralSecurityException, JSONException {
        SSLSocket tls = (SSLSocket) new Pin(paired.fingerprint).sockets().createSocket();
        try {
            tls.connect(new InetSocketAddress(Address.host(address), Address.port(address)), CONNECT_MS);
            tls.setSoTimeout(SILENCE_MS);
            tls.setTcpNoDelay(true);
            tls.startHandshake();
            WebSocket socket = new WebSocket(tls, paired.host, "/ws");
            JSONObject challenge = new JSONObject(socket.receive());
            if (!challenge.getString("type").equals("challenge")) throw new IOException("The host sent no challenge.");
            return new HostLine(paired, socket, challenge);
        } catch (IOException | JSONException error) {
            tls.close();
            throw error;
        }
    }

    /** Connects and follows what happens. `resumeFrom` is the last event that is known, or 0. */
    public static HostLine follow(Paired paired, long resumeFrom)
            throws IOException, GeneralSecurityException, JSONException {
        HostLine line = connect(paired);
        JSONObject hello = new JSONObject();
        hello.put("type", "hello").put("protocol", PROTOCOL).put("follow", true).put("brief", true);
        hello.put("resume_from", resumeFrom > 0 ? (Object) resumeFrom : JSONObject.NULL);
        line.hello(hello);
        return line;
    }

    /** Says hello, with the proof that this is the device. */
    public void hello(JSONObject hello) throws IOException, GeneralSecurityException, JSONException {
        String signature = paired.key.sign("deputy-connect-1", paired.fingerprint, paired.device, challenge);
        JSONObject proof = new JSONObject();
        proof.put("proof", "device").put("device", paired.device).put("signature", signature);
        socket.send(hello.put("proof", proof).toString());
        String reach = paired.device + " " + paired.push;
        if (paired.push == null || reach.equals(said)) return;
        saying = "reach" + challenge;
        JSONObject command = new JSONObject().put("command", "reach_device").put("device", paired.device);
        command(saying, command.put("endpoint", paired.push.isEmpty() ? JSONObject.NULL : paired.push));
    }

    /** The next message, as the host wrote it. */
    public String next() throws IOException {
        String text = socket.receive();
        if (saying != null && text.contains(saying)) {
            said = paired.device + " " + paired.push;
            saying = null;
        }
        return text;
    }

    /** Whether the host knows where push reaches this phone, or has nothing to know. */
    boolean isReachSaid() {
        return saying == null;
    }

    /** Milliseconds since 1970 by the host's clock, which signed answers are held against. */
    public long hostNowMs() {
        return System.currentTimeMillis() + aheadMs;
    }

    /** Sends a command under an id that the phone made; the same id again is the same command. */
    public void command(String id, JSONObject command) throws IOException, JSONException {
        JSONObject envelope = new JSONObject().put("id", id).put("command", command);
        send(new JSONObject().put("type", "command").put("envelope", envelope));
    }

    public void send(JSONObject message) throws IOException {
        socket.send(message.toString());
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
