package dev.deputy.phone.shell;

import android.app.Activity;
import android.content.ContentResolver;
import android.content.Intent;
import android.net.Uri;
import android.os.Bundle;
import android.widget.Toast;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * "Send to Deputy" in the share sheet: opens the form for a new task with a text, a link or a text file. Nothing is
 * sent yet.
 */
public final class ShareActivity extends Activity {
    /** The size limit of a message to the host, minus room for the rest of the message. */
    private static final int MOST_BYTES = 40_000;

    @Override
    protected void onCreate(Bundle saved) {
        super.onCreate(saved);
        int wrong = 0;
        String text = null;
        try {
            text = textOf(getIntent());
            if (text == null) wrong = R.string.share_nothing;
        } catch (CharacterCodingException error) {
            wrong = R.string.share_no_text;
        } catch (TooLong error) {
            wrong = R.string.share_too_long;
        } catch (IOException | SecurityException error) {
            wrong = R.string.share_unreadable;
        }
        if (wrong != 0) {
            Toast.makeText(this, wrong, Toast.LENGTH_LONG).show();
        } else {
            Intent main = new Intent(this, MainActivity.class).putExtra(MainActivity.SHARED, text);
            startActivity(main.addFlags(Intent.FLAG_ACTIVITY_NEW_TASK));
        }
        finish();
    }

    private String textOf(Intent intent) throws IOException {
        String subject = intent.getStringExtra(Intent.EXTRA_SUBJECT);
        CharSequence said = intent.getCharSequenceExtra(Intent.EXTRA_TEXT);
        Uri file = (Uri) intent.getParcelableExtra(Intent.EXTRA_STREAM);
        StringBuilder all = new StringBuilder();
        if (subject != null && (said == null || !said.toString().contains(subject))) all.append(subject).append('\n');
        if (said != null) all.append(said);
        // Only another app's file, never one of this app's own.
        if (file != null && ContentResolver.SCHEME_CONTENT.equals(file.getScheme())) {
            if (all.length() > 0) all.append("\n\n");
            all.append(read(file));
        }
        String text = all.toString().trim();
        if (text.getBytes(StandardCharsets.UTF_8).length > MOST_BYTES) throw new TooLong();
        return text.isEmpty() ? null : text;
    }

    private String read(Uri file) throws IOException {
        try (InputStream in = getContentResolver().openInputStream(file)) {
            if (in == null) throw new IOException("The file cannot be opened.");
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            byte[] part = new byte[8192];
            for (int count = in.read(part); count >= 0; count = in.read(part)) {
                all.write(part, 0, count);
                if (all.size() > MOST_BYTES) throw new TooLong();
            }
            // Throws an exception for malformed input instead of replacing characters.
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(all.toByteArray())).toString();
        }
    }

    private static final class TooLong extends IOException {}
}
