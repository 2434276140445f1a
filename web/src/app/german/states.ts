import type { statesTexts } from '../../states/states-texts.ts';

export const states = {
  title: 'Katalog',
  loadingFailed: 'Die Galerie kann nicht geladen werden',
  loadingFailedHint: 'Bitte die Verbindung prüfen. Sobald das Gerät online ist, folgt ein neuer Versuch.',
  storageRefused:
    'Der Browser speichert nichts für diese Seite. Bitte Cookies und Daten dieser Seite erlauben, dann erneut versuchen.',
  stillLoading: 'Wird noch geladen …',
  slow: 'Das dauert ungewöhnlich lange. Vielleicht ist die Verbindung langsam oder der Katalog ausgelastet.',
  leave: 'Zurück',
  broken: 'In diesem Teil der Galerie ist ein Fehler aufgetreten.',
  reloadPage: 'Seite neu laden',
  signedOut: 'Anmelden, um die Bilder zu sehen',
  signedOutHint: 'Die Bilder dieses Katalogs sind nicht öffentlich.',
  signIn: 'Anmelden',
  signInAgain: 'Erneut anmelden',
  ended: 'Die Sitzung ist abgelaufen. Nach dem Anmelden geht es an derselben Stelle weiter.',
  noClient: 'Die Anmeldung ist nicht eingerichtet',
  noClientHint: 'Dafür muss der Betreiber des Katalogs WEB_CLIENT_ID am Dienst setzen.',
  problem: {
    denied: 'Nicht angemeldet: Der Zugriff wurde verweigert.',
    ended: 'Die Sitzung ist abgelaufen. Bitte erneut anmelden.',
    lost: 'Die Anmeldung wurde unterbrochen. Bitte erneut anmelden.',
    unreachable: 'Der Anmeldedienst ist nicht erreichbar. Bitte gleich noch einmal versuchen.',
    blocked: (origin) =>
      `Die Anmeldung scheitert an der Richtlinie dieser Seite, die keine Anfragen an ${origin} erlaubt. Für den Betreiber: in WEB_CONNECT_ORIGINS aufnehmen.`,
    insecure: 'Zum Anmelden ist eine sichere Verbindung nötig. Bitte die Galerie mit https:// öffnen.',
    opaque:
      'Der Anmeldedienst hat kein JWT als Zugriffstoken ausgestellt, und ein anderes kann der Katalog nicht prüfen. Für den Betreiber: Der Anmeldedienst muss für diesen Katalog JWT-Zugriffstoken ausstellen. Manche tun das nur, wenn WEB_RESOURCE gesetzt ist.',
    refused: (message) => `Der Anmeldedienst hat die Anmeldung abgelehnt: ${message}.`,
  },
  updated: 'Die Galerie wurde aktualisiert.',
  reload: 'Neu laden',
  offline: 'Keine Verbindung zum Netz. Sobald sie wieder da ist, geht es weiter.',
  unreachable: 'Der Katalog ist nicht erreichbar.',
  busy: 'Der Katalog ist ausgelastet.',
  storage: (requestId) =>
    `Der Speicher des Katalogs ist voll oder nicht erreichbar. Für den Betreiber: storage_unavailable${requestId === undefined ? '' : `, Anfrage ${requestId}`}.`,
  provider: 'Die Sitzung kann nicht verlängert werden: Der Anmeldedienst ist nicht erreichbar.',
  retryIn: (seconds) => `Nächster Versuch in ${seconds} s`,
  retrying: 'Neuer Versuch …',
  retryNow: 'Jetzt versuchen',
  readOnly: 'Der Katalog ist zurzeit schreibgeschützt: Bilder lassen sich ansehen, aber nicht ändern.',
  tooManyChanges: (until) =>
    `Mehr Änderungen sind an einem Tag nicht erlaubt: Bis ${until} wird keine mehr angenommen.`,
  spaceMissing: 'Dieses Konto hat keinen Bereich im Katalog',
  spaceMissingHint:
    'Die Anmeldung hat geklappt, nennt aber keinen Bereich des Katalogs. Der Betreiber des Katalogs kann helfen: Das Token braucht den Claim, den SPACE_CLAIM am Dienst nennt. Danach bitte erneut anmelden.',
  forbidden: (scope) =>
    scope === undefined
      ? 'Dafür fehlt die Berechtigung. Der Betreiber des Katalogs kann sie erteilen.'
      : `Dafür fehlt die Berechtigung ${scope}. Der Betreiber des Katalogs kann sie erteilen.`,
  refused: (message) => `Der Katalog lehnt die Anmeldung ab: ${message}.`,
  codes: {
    image_not_found: 'Das Bild ist nicht mehr vorhanden',
    internal_error: 'Im Katalog ist ein Fehler aufgetreten',
    unexpected_response: 'Der Katalog hat eine unerwartete Antwort gesendet',
    precondition_failed: 'Das Bild wurde inzwischen geändert',
    quota_exceeded: 'Der Speicherplatz ist voll',
    request_too_large: 'Das ist zu viel auf einmal',
    link_expired: 'Der Link ist abgelaufen',
    cursor_expired: 'Die Liste ist zu alt',
    token_too_long:
      'Das Token der Anmeldung ist für den Katalog zu lang. Für den Betreiber: beim Anmeldedienst weniger hineinschreiben oder --max-http-header-size am Dienst erhöhen',
  },
  said: (message) => `Der Katalog meldet: ${message}`,
  failed: (message, requestId) =>
    requestId === undefined ? `${message}.` : `${message}. Anfrage ${requestId}.`,
  back: 'Zurück zu den Bildern',
  signOut: 'Abmelden',
} satisfies typeof statesTexts.english;
