import type { uploadTexts } from '../../upload/upload-texts.ts';
import { words } from './words.ts';

const { number, plural } = words;
const files = plural({ one: '# Datei', other: '# Dateien' });

export const upload = {
  button: 'Bilder hochladen',
  buttonBusy: (percent) => `Bilder hochladen: ${percent} % fertig`,
  more: 'Weitere Wege zum Hochladen',
  files: 'Bilder hochladen …',
  folder: 'Ordner hochladen …',
  photo: 'Foto aufnehmen …',
  drop: 'Bilder oder Ordner zum Hochladen hier ablegen',
  pasted: (time) => `Eingefügt ${time}`,
  tray: 'Uploads',
  list: 'Dateien',
  collapse: 'Dateien ausblenden',
  expand: 'Dateien anzeigen',
  close: 'Uploads schließen',
  pause: 'Anhalten',
  pauseAll: 'Alle anhalten',
  resume: 'Fortsetzen',
  resumeAll: 'Alle fortsetzen',
  cancel: 'Abbrechen',
  cancelAll: 'Alle abbrechen',
  retryAll: (count) => `${number(count)} erneut versuchen`,
  tryNow: 'Jetzt versuchen',
  show: 'Anzeigen',
  actionOn: (action, name) => `${action}: ${name}`,
  all: (count) => `Alle ${number(count)}`,
  problems: (count) => `Probleme ${number(count)}`,
  reading: 'Dateien werden gelesen …',
  starting: plural({ one: '# Datei wird hochgeladen', other: '# Dateien werden hochgeladen' }),
  underWay: (done, total) => `Hochladen: ${number(done)} von ${number(total)} fertig`,
  paused: (left) => `Angehalten, noch ${number(left)}`,
  nothing: 'Keine Bilder zum Hochladen',
  uploaded: (count) => `${number(count)} hochgeladen`,
  known: (count) => `${number(count)} schon vorhanden`,
  repeated: (count) => `${number(count)} doppelt gewählt`,
  refused: (count) => `${number(count)} abgelehnt`,
  failed: (count) => `${number(count)} fehlgeschlagen`,
  cancelled: (count) => `${number(count)} abgebrochen`,
  skipped: (count, kinds) => `${files(count)} übersprungen: nicht ${kinds}`,
  accepted: (kinds) => `Der Katalog nimmt ${kinds}.`,
  skippedHeic: plural({
    one: '# davon ist ein HEIC-Bild: als JPEG exportieren',
    other: '# davon sind HEIC-Bilder: als JPEG exportieren',
  }),
  skippedSystem: plural({
    one: '# Datei oder Ordner eines Systems übersprungen: Vorschaubilder, Gelöschtes',
    other: '# Dateien oder Ordner von Systemen übersprungen: Vorschaubilder, Gelöschtes',
  }),
  row: {
    waiting: 'Wartet',
    preparing: 'Wird vorbereitet …',
    sent: (sent, total) => `${sent} von ${total}`,
    finishing: 'Wird geprüft …',
    paused: 'Angehalten',
    uploaded: 'Hochgeladen',
    known: 'Schon im Katalog',
    repeated: (name) => `Dasselbe Bild wie ${name}`,
    cancelled: 'Abgebrochen',
  },
  refusal: {
    heic: 'HEIC wird nicht unterstützt: als JPEG exportieren.',
    invalid_image: 'Beschädigt, unvollständig oder mit zu vielen Pixeln.',
    damaged_image:
      'Beschädigt oder unvollständig. Bitte eine unbeschädigte Kopie wählen oder das Bild in einem Programm, das es öffnet, neu speichern.',
    unusual_image: 'Eine ungewöhnliche Art von Bild. Bitte als gewöhnliches JPEG oder PNG neu speichern.',
    file_too_large: 'Die Datei ist zu groß.',
    file_required: 'Die Datei ist leer.',
    invalid_request: 'Der Katalog nimmt diese Datei nicht an.',
  },
  tooManyPixels: (pixels, allowed) =>
    `Zu viele Pixel: ${number(pixels)}, und der Katalog nimmt ${number(allowed)}.`,
  failure: {
    unreadable: 'Die Datei lässt sich nicht mehr lesen.',
    changed: 'Die Datei hat sich während des Hochladens geändert.',
    connection_lost: 'Die Verbindung ist mehrmals abgebrochen.',
    deleted_meanwhile: 'Hochgeladen, aber seitdem gelöscht.',
    quota_exceeded: 'Der Speicherplatz ist voll.',
    internal_error: 'Im Katalog ist ein Fehler aufgetreten.',
    unexpected_response: 'Der Katalog hat eine unerwartete Antwort gesendet.',
  },
  hold: {
    offline: 'Keine Verbindung zum Netz. Sobald sie wieder da ist, geht das Hochladen weiter.',
    unreachable: 'Der Katalog ist nicht erreichbar. Das Hochladen geht von selbst weiter.',
    'provider-unreachable':
      'Die Anmeldung kann noch nicht verlängert werden. Das Hochladen geht von selbst weiter.',
    busy: 'Der Katalog ist ausgelastet. Das Hochladen geht von selbst weiter.',
    read_only:
      'Der Katalog ist zurzeit schreibgeschützt. Das Hochladen geht weiter, sobald er Änderungen annimmt.',
    'signed-out': 'Die Sitzung ist abgelaufen. Nach dem Anmelden geht das Hochladen weiter.',
    unauthorized: 'Der Katalog lehnt die Anmeldung ab.',
  },
  storage: (requestId) =>
    `Der Katalog kann zurzeit keine Bilder speichern: Sein Speicher ist voll oder nicht erreichbar. Das Hochladen geht weiter, sobald er es kann. Für den Betreiber: storage_unavailable${requestId === undefined ? '' : `, Anfrage ${requestId}`}.`,
  forbidden: (scope) =>
    scope === undefined
      ? 'Zum Hochladen fehlt die Berechtigung. Der Betreiber des Katalogs kann sie erteilen.'
      : `Zum Hochladen fehlt die Berechtigung ${scope}. Der Betreiber des Katalogs kann sie erteilen.`,
  full: 'Der Speicherplatz ist voll. Bitte Bilder löschen (auch der Papierkorb zählt) oder den Betreiber um mehr Platz bitten, dann erneut versuchen.',
  emptyTitle: 'Noch keine Bilder',
  emptyInvitation: 'Bilder oder ganze Ordner irgendwo auf dieser Seite ablegen.',
  emptyChoose: 'Bilder auswählen',
  emptyFolder: 'Ordner auswählen',
} satisfies typeof uploadTexts.english;
