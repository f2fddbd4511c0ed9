package dev.deputy.phone.shell;

import android.content.Context;
import android.content.SharedPreferences;
import android.util.Log;
import dev.deputy.phone.Kept;
import dev.deputy.phone.Phone;
import java.security.GeneralSecurityException;

/** The Android implementation of `Phone`: its keys, the stored state, and the visible activity, if there is one. */
final class AndroidPhone implements Phone {
    private static final String PLACE = "deputy";
    private static final String KEPT = "kept";

    private static AndroidPhone only;

    private final Context context;
    private final SharedPreferences place;
    private final KeyBox box;
    /** The activity that can ask the owner. Set while it is visible. */
    private MainActivity screen;

    private AndroidPhone(Context context) {
        this.context = context;
        place = context.getSharedPreferences(PLACE, Context.MODE_PRIVATE);
        box = new KeyBox(place);
    }

    static synchronized AndroidPhone of(Context context) {
        if (only == null) only = new AndroidPhone(context.getApplicationContext());
        return only;
    }

    synchronized void onScreen(MainActivity activity) {
        screen = activity;
    }

    /** Removes an activity that ends, unless another one has replaced it. */
    synchronized void offScreen(MainActivity activity) {
        if (screen == activity) screen = null;
    }

    KeyBox box() {
        return box;
    }

    SharedPreferences place() {
        return place;
    }

    @Override
    public synchronized Keys makeKeys() throws GeneralSecurityException {
        return box.make();
    }

    @Override
    public synchronized Keys keys() throws GeneralSecurityException {
        return box.keys();
    }

    @Override
    public synchronized Kept kept() {
        return Kept.read(place.getString(KEPT, null));
    }

    @Override
    public synchronized void keep(Kept kept) {
        try {
            box.use();
        } catch (GeneralSecurityException error) {
            Log.w("Deputy", "An old key could not be deleted", error);
        }
        Kept before = kept();
        place.edit().putString(KEPT, kept.toString()).apply();
        PushReceiver.adjust(context, before, kept);
        WatchService.adjust(context);
        if (screen != null) screen.askForNotifications();
    }

    @Override
    public synchronized void forget() {
        try {
            box.forget();
        } catch (GeneralSecurityException error) {
            Log.w("Deputy", "A key could not be deleted", error);
        }
        PushReceiver.adjust(context, kept(), null);
        place.edit().clear().apply();
        WatchService.adjust(context);
    }

    @Override
    public void unlock(Then then) {
        MainActivity activity = screen();
        if (activity == null) then.unlocked(Unlocked.NO);
        else activity.unlock(then);
    }

    @Override
    public void scan(Scanned then) {
        MainActivity activity = screen();
        if (activity == null) then.scanned(null);
        else activity.scan(then);
    }

    @Override
    public boolean canBePushed() {
        return PushReceiver.distributor(context) != null;
    }

    private synchronized MainActivity screen() {
        return screen;
    }

    @Override
    public String words(Words which) {
        switch (which) {
            case NOT_UNLOCKED:
                return context.getString(R.string.not_unlocked);
            case NO_SCREEN_LOCK:
                return context.getString(R.string.no_screen_lock);
            case NO_CODE:
                return context.getString(R.string.no_code);
            case NO_ADDRESS:
                return context.getString(R.string.no_address);
            case NO_RELAY:
                return context.getString(R.string.no_relay);
            case NO_PUSH:
                return context.getString(R.string.no_push);
            case OTHER_SERVER:
                return context.getString(R.string.other_server);
            default:
                return context.getString(R.string.unreachable);
        }
    }
}
