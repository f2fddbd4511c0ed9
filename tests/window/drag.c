/* A window that is dragged from, as a file manager is: drag it and drop the folders that are its arguments. */
#include <gtk/gtk.h>

static void give(GtkWidget *from, GdkDragContext *drag, GtkSelectionData *data, guint info, guint time, gpointer uris) {
    gtk_selection_data_set_uris(data, uris);
}

int main(int count, char **words) {
    gtk_init(&count, &words);
    char **uris = g_new0(char *, count);
    for (int word = 1; word < count; word++) uris[word - 1] = g_filename_to_uri(words[word], NULL, NULL);
    GtkWidget *window = gtk_window_new(GTK_WINDOW_TOPLEVEL), *from = gtk_event_box_new();
    gtk_window_set_title(GTK_WINDOW(window), "Files");
    gtk_window_set_default_size(GTK_WINDOW(window), 120, 60);
    gtk_container_add(GTK_CONTAINER(window), from);
    gtk_drag_source_set(from, GDK_BUTTON1_MASK, NULL, 0, GDK_ACTION_COPY);
    gtk_drag_source_add_uri_targets(from);
    g_signal_connect(from, "drag-data-get", G_CALLBACK(give), uris);
    gtk_widget_show_all(window);
    gtk_main();
}
