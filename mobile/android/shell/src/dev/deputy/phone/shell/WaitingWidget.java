package dev.deputy.phone.shell;

import android.app.PendingIntent;
import android.appwidget.AppWidgetManager;
import android.appwidget.AppWidgetProvider;
import android.content.ComponentName;
import android.content.Context;
import android.content.Intent;
import android.content.SharedPreferences;
import android.widget.RemoteViews;
import dev.deputy.phone.Card;

/** The home screen widget: the number of open requests, and the oldest one. */
public final class WaitingWidget extends AppWidgetProvider {
    private static final String COUNT = "widget.count";
    private static final String FIRST = "widget.first";
    private static final String CONNECTED = "widget.connected";

    @Override
    public void onUpdate(Context context, AppWidgetManager manager, int[] ids) {
        manager.updateAppWidget(ids, views(context));
    }

    /** Updates the widget. */
    static void show(Context context, int count, String first, boolean isConnected) {
        SharedPreferences.Editor place = AndroidPhone.of(context).place().edit();
        place.putInt(COUNT, count).putString(FIRST, first).putBoolean(CONNECTED, isConnected).apply();
        ComponentName own = new ComponentName(context, WaitingWidget.class);
        AppWidgetManager.getInstance(context).updateAppWidget(own, views(context));
    }

    private static RemoteViews views(Context context) {
        SharedPreferences place = AndroidPhone.of(context).place();
        int count = place.getInt(COUNT, 0);
        RemoteViews views = new RemoteViews(context.getPackageName(), R.layout.widget);
        String title = count == 0
                ? context.getString(R.string.nothing_waits)
                : context.getResources().getQuantityString(R.plurals.waiting, count, count);
        String first = Card.cut(Card.visible(place.getString(FIRST, "")));
        views.setTextViewText(R.id.widget_title, title);
        views.setTextViewText(R.id.widget_text,
                place.getBoolean(CONNECTED, false) || count > 0 ? first : context.getString(R.string.out_of_reach));
        Intent open = new Intent(context, MainActivity.class).putExtra(MainActivity.GO, count > 0 ? "#/inbox" : "#/tasks");
        int flags = PendingIntent.FLAG_UPDATE_CURRENT | PendingIntent.FLAG_IMMUTABLE;
        views.setOnClickPendingIntent(R.id.widget, PendingIntent.getActivity(context, 1, open, flags));
        return views;
    }
}
