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
        [['Enter'], 'Öffnen'],
        [['Leertaste'], 'Auswählen'],
        [['Umschalt'], 'Auswahl erweitern'],
        [['F'], 'Stern', 'write'],
        [['S'], 'Diashow; die Leertaste hält sie an'],
        [['N'], 'Neue Bilder zeigen'],
      ],
    },
    {
      title: 'Ausgewählte Bilder',
      keys: [
        [['F'], 'Stern', 'write'],
        [['T'], 'Schlagwörter', 'write'],
        [['C'], '2 bis 4 Bilder vergleichen'],
        [['D'], 'Herunterladen'],
        [['Entf'], 'Löschen', 'delete'],
        [['Esc'], 'Auswahl aufheben'],
      ],
    },
    {
      title: 'Einzelnes Bild',
      keys: [
        [['←', '→'], 'Vorheriges, nächstes'],
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
