package dev.deputy.phone.shell;

import android.app.Activity;
import android.app.KeyguardManager;
import android.content.Intent;
import android.content.pm.PackageManager;
import android.net.Uri;
import android.os.Build;
import android.os.Bundle;
import android.webkit.JavascriptInterface;
import android.webkit.WebSettings;
import android.webkit.WebView;
import dev.deputy.phone.Bridge;
import dev.deputy.phone.Phone;
import java.security.GeneralSecurityException;
import org.json.JSONObject;

/**
 * The activity with the pages, and what they need from the screen: authentication, the camera, and the places that
 * notifications and links lead to.
 */
public final class MainActivity extends Activity {
    /** A place in the pages, such as `#/inbox/r1`. */
    static final String GO = "go";
    /** Text that was shared with the app. */
    static final String SHARED = "shared";
    private static final int UNLOCK = 1;
    private static final int SCAN = 2;
    private static final int NOTIFY = 3;
    private static final int API_NOTIFICATIONS_ASKED = 33;

    private WebView view;
    private Bridge bridge;
    private Phone.Then onUnlocked;
    private Phone.Scanned onScanned;

    @Override
    protected void onCreate(Bundle saved) {
        super.onCreate(saved);
        AndroidPhone.of(this).onScreen(this);
        view = new WebView(this);
        WebSettings settings = view.getSettings();
        settings.setJavaScriptEnabled(true);
        // For the last state and the user's preferences. Deleted together with the keys.
        settings.setDomStorageEnabled(true);
        settings.setAllowFileAccess(false);
        settings.setAllowContentAccess(false);
        settings.setGeolocationEnabled(false);
        settings.setTextZoom(Math.round(100 * getResources().getConfiguration().fontScale));
        view.setWebViewClient(new PageFiles(getAssets()));
        // Prevents tapjacking: another app's overlay must not trick the user into approving.
        view.setFilterTouchesWhenObscured(true);
        bridge = new Bridge(AndroidPhone.of(this), new Bridge.Page() {
            @Override
            public void hear(String message) {
                MainActivity.this.hear(message);
            }
        });
        view.addJavascriptInterface(new Mouth(bridge), "deputyApp");
        setContentView(view);
        String place = saved == null ? null : saved.getString(GO);
        view.loadUrl(PageFiles.ORIGIN + "/m/" + (place == null ? "" : place));
        if (saved == null) follow(getIntent());
        askForNotifications();
        WatchService.adjust(this);
    }

    @Override
    protected void onNewIntent(Intent intent) {
        super.onNewIntent(intent);
        follow(intent);
    }

    /** Leads the pages to the subject of an intent. Any app may send one, so it only ever shows something. */
    private void follow(Intent intent) {
        Uri link = intent.getData();
        String go = intent.getStringExtra(GO);
        String shared = intent.getStringExtra(SHARED);
        if (link != null && "deputy".equals(link.getScheme()) && link.getEncodedFragment() != null) {
            bridge.show(GO, "#" + link.getEncodedFragment());
        } else if (shared != null) {
            bridge.show(SHARED, shared);
        } else if (go != null && go.startsWith("#/")) {
            bridge.show(GO, go);
        }
    }

    @Override
    protected void onSaveInstanceState(Bundle out) {
        super.onSaveInstanceState(out);
        String fragment = view.getUrl() == null ? null : Uri.parse(view.getUrl()).getEncodedFragment();
        if (fragment != null && fragment.startsWith("/")) out.putString(GO, "#" + fragment);
    }

    @Override
    protected void onDestroy() {
        AndroidPhone.of(this).offScreen(this);
        bridge.close();
        view.destroy();
        super.onDestroy();
    }

    @Override
    public void onBackPressed() {
        if (view.canGoBack()) view.goBack();
        else super.onBackPressed();
    }

    private void hear(final String message) {
        runOnUiThread(new Runnable() {
            @Override
            public void run() {
                if (!isDestroyed()) view.evaluateJavascript("deputyHear(" + JSONObject.quote(message) + ")", null);
            }
        });
    }

    void unlock(final Phone.Then then) {
        runOnUiThread(new Runnable() {
            @Override
            public void run() {
                KeyguardManager guard = (KeyguardManager) getSystemService(KEYGUARD_SERVICE);
                String title = getString(R.string.unlock_title);
                Intent ask = guard.createConfirmDeviceCredentialIntent(title, getString(R.string.unlock_why));
                if (!guard.isDeviceSecure() || ask == null) {
                    then.unlocked(Phone.Unlocked.WITHOUT_LOCK);
                    return;
                }
                try {
                    AndroidPhone.of(MainActivity.this).box().prepareOwner();
                } catch (GeneralSecurityException error) {
                    then.unlocked(Phone.Unlocked.WITHOUT_LOCK);
                    return;
                }
                onUnlocked = then;
                startActivityForResult(ask, UNLOCK);
            }
        });
    }

    void scan(final Phone.Scanned then) {
        runOnUiThread(new Runnable() {
            @Override
            public void run() {
                onScanned = then;
                startActivityForResult(new Intent(MainActivity.this, ScanActivity.class), SCAN);
            }
        });
    }

    @Override
    protected void onActivityResult(int request, int result, Intent data) {
        if (request == UNLOCK && onUnlocked != null) {
            final Phone.Then then = onUnlocked;
            onUnlocked = null;
            // The Keystore's confirmation counts, not the result of the other activity.
            final boolean isOwner = result == RESULT_OK && AndroidPhone.of(this).box().isOwnerHere();
            off(new Runnable() {
                @Override
                public void run() {
                    then.unlocked(isOwner ? Phone.Unlocked.YES : Phone.Unlocked.NO);
                }
            });
        } else if (request == SCAN && onScanned != null) {
            Phone.Scanned then = onScanned;
            onScanned = null;
            then.scanned(result == RESULT_OK && data != null ? data.getStringExtra(ScanActivity.TEXT) : null);
        }
    }

    /** Runs work on another thread, because the main thread must not use the network. */
    private static void off(Runnable work) {
        new Thread(work, "unlocked").start();
    }

    /** Asks for permission to show notifications, once the phone is paired. */
    void askForNotifications() {
        if (Build.VERSION.SDK_INT < API_NOTIFICATIONS_ASKED || AndroidPhone.of(this).kept() == null) return;
        String permission = "android.permission.POST_NOTIFICATIONS";
        if (checkSelfPermission(permission) == PackageManager.PERMISSION_GRANTED) return;
        requestPermissions(new String[] {permission}, NOTIFY);
    }

    /** The interface of the app for the pages. */
    private static final class Mouth {
        private final Bridge bridge;

        Mouth(Bridge bridge) {
            this.bridge = bridge;
        }

        @JavascriptInterface
        public void tell(String message) {
            bridge.tell(message);
        }
    }
}
