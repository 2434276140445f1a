import type { shortcutsTexts } from '../../shortcuts/shortcuts-texts.ts';

export const shortcuts = {
  title: 'Tastenkürzel',
  ctrl: 'Strg',
  close: 'Schließen',
  characters: 'Buchstaben und Zeichen allein sind Tastenkürzel',
  sections: [
    {
      title: 'Überall',
      keys: [
        [['/', 'mod+K'], 'Suchen'],
        [['U'], 'Hochladen', 'write'],
        [['Z'], 'Rückgängig machen'],
        [['Esc'], 'Einen Schritt zurück'],
        [['?'], 'Diese Liste'],
      ],
    },
    {
      title: 'Bilder',
      keys: [
        [['←', '→', '↑', '↓'], 'Bewegen'],
        [['Pos1', 'Ende'], 'Erstes, letztes'],
        [['Bild ↑', 'Bild ↓'], 'Eine Seite hinauf, hinab'],
        [['Enter'], 'Öffnen'],
        [['Leertaste'], 'Auswählen'],
        [['Umschalt'], 'Auswahl erweitern'],
        [['mod+A'], 'Alle auswählen'],
        [['F'], 'Stern', 'write'],
        [['S'], 'Diashow: Die Leertaste hält sie an, ← → gehen zurück und weiter'],
        [['N'], 'Neue Bilder zeigen'],
      ],
    },
    {
      title: 'Ausgewählte Bilder',
      keys: [
        [['F'], 'Stern', 'write'],
        [['T'], 'Schlagwörter', 'write'],
        [['C'], '2 bis 4 Bilder vergleichen: + − 0 vergrößern alle'],
        [['D'], 'Herunterladen'],
        [['Entf'], 'Löschen', 'delete'],
        [['Esc'], 'Auswahl aufheben'],
      ],
    },
    {
      title: 'Einzelnes Bild',
      keys: [
        [['←', '→'], 'Vorheriges, nächstes'],
        [['Pos1', 'Ende'], 'Erstes, letztes'],
        [['+', '−', '0'], 'Vergrößern, verkleinern, einpassen'],
        [['I'], 'Details'],
        [['F'], 'Stern', 'write'],
        [['T'], 'Schlagwörter', 'write'],
        [['D'], 'Herunterladen'],
        [['Entf'], 'Löschen', 'delete'],
      ],
    },
  ],
} satisfies typeof shortcutsTexts.english;
