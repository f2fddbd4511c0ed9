package dev.deputy.phone;

import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;

/** An RFC 6455 client on an open socket: sends and receives text messages, answers pings, and limits the frame size. */
final class WebSocket implements Closeable {
    private static final String GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    private static final int MAX_HEAD_BYTES = 8 * 1024;
    /** The host's largest message is a snapshot. A larger message than this cannot be from the host. */
    private static final int MAX_MESSAGE_BYTES = 16 * 1024 * 1024;
    private static final int CONTINUATION = 0;
    private static final int TEXT = 1;
    private static final int CLOSE = 8;
    private static final int PING = 9;

    private final Socket socket;
    private final DataInputStream in;
    private final OutputStream out;
    private final SecureRandom random = new SecureRandom();

    WebSocket(Socket socket, String host, String path) throws IOException {
        this.socket = socket;
        in = new DataInputStream(new java.io.BufferedInputStream(socket.getInputStream()));
        out = new BufferedOutputStream(socket.getOutputStream());
        byte[] nonce = new byte[16];
        random.nextBytes(nonce);
        String key = Base64.getEncoder().encodeToString(nonce);
        String head = "GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\nOrigin: https://" + host
                + "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: " + key
                + "\r\n\r\n";
        out.write(head.getBytes(StandardCharsets.US_ASCII));
        out.flush();
        String answer = head();
        boolean isUpgraded = answer.startsWith("HTTP/1.1 101 ");
        if (!isUpgraded || !answer.toLowerCase(java.util.Locale.ROOT).contains(accept(key).toLowerCase(java.util.Locale.ROOT))) {
            throw new IOException("The server does not speak WebSocket: " + answer.split("\r\n", 2)[0]);
        }
    }

    /** Returns the next text message, and answers pings meanwhile. */
    String receive() throws IOException {
        ByteArrayOutputStream message = new ByteArrayOutputStream();
        while (true) {
            int first = in.readUnsignedByte();
            int second = in.readUnsignedByte();
            int kind = first & 0x0f;
            if ((first & 0x70) != 0 || (second & 0x80) != 0) throw new IOException("A frame cannot be read.");
            long length = second & 0x7f;
            if (length == 126) length = in.readUnsignedShort();
            else if (length == 127) length = in.readLong();
            if (length < 0 || message.size() + length > MAX_MESSAGE_BYTES) throw new IOException("A message is too long.");
            byte[] content = new byte[(int) length];
            in.readFully(content);
            if (kind == CLOSE) throw new EOFException("The host closed the connection.");
            if (kind == PING) send(0x0a, content);
            if (kind != TEXT && kind != CONTINUATION) continue;
            message.write(content);
            if ((first & 0x80) != 0) return new String(message.toByteArray(), StandardCharsets.UTF_8);
        }
    }

    void send(String text) throws IOException {
        send(TEXT, text.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    /** Sends a frame, masked as the RFC requires of clients. */
    private synchronized void send(int kind, byte[] content) throws IOException {
        byte[] mask = new byte[4];
        random.nextBytes(mask);
        out.write(0x80 | kind);
        if (content.length < 126) {
            out.write(0x80 | content.length);
        } else if (content.length < 65_536) {
            out.write(0x80 | 126);
            out.write(content.length >> 8);
            out.write(content.length);
        } else {
            throw new IOException("The message is too long to be sent in one frame.");
        }
        out.write(mask);
        for (int at = 0; at < content.length; at++) out.write(content[at] ^ mask[at % 4]);
        out.flush();
    }

    private String head() throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            if (head.length() > MAX_HEAD_BYTES) throw new IOException("The server's answer is too long.");
            head.append((char) in.readUnsignedByte());
        }
        return head.toString();
    }

    private static String accept(String key) throws IOException {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-1").digest((key + GUID).getBytes(StandardCharsets.US_ASCII));
            return Base64.getEncoder().encodeToString(digest);
        } catch (NoSuchAlgorithmException error) {
            throw new IOException(error);
        }
    }
}
