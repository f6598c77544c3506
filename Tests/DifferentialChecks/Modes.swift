import Foundation

/// All modes of random checks.
package enum Modes {
  package static let all: [any CheckMode] = [
    ConditionMode(), JoinMode(), WriteMode(), KeyMode(), SplitMode(), SearchMode(), ValueMode(),
    MigrationMode(), ObservationMode(), DamageMode(),
  ]

  /// Modes with wrong results, each of which must report a difference.
  package static let flawed: [any CheckMode] = [
    ConditionMode(flaw: Flaw("UPDATE other SET b = 3 WHERE b = 2")),
    JoinMode(flaw: Flaw("DELETE FROM other WHERE b IS NULL")),
    WriteMode(
      flaw: Flaw(
        """
        CREATE TRIGGER flaw AFTER UPDATE OF n ON entry WHEN new.n = 7 BEGIN
          UPDATE entry SET mark = 'flaw' WHERE id = new.id;
        END
        """)),
    KeyMode(
      flaw: Flaw(
        """
        CREATE TRIGGER flaw AFTER DELETE ON word WHEN old.n = 3 BEGIN
          INSERT INTO word VALUES (old.text, 9);
        END
        """)),
    SplitMode(flaw: Flaw("UPDATE spread_1 SET t = 'x' WHERE t = 'a'")),
    SearchMode(
      flaw: Flaw(
        """
        CREATE TRIGGER flaw AFTER INSERT ON document WHEN new.n = 3 BEGIN
          INSERT INTO document_search (rowid, title, body) VALUES (new.id, 'fig', 'fig');
        END
        """)),
    ValueMode(
      flaw: Flaw(
        """
        CREATE TRIGGER flaw AFTER INSERT ON everything BEGIN
          UPDATE everything SET maybeText = trim(maybeText, char(10)) || '' WHERE text = '';
          UPDATE everything SET double = round(double, 300) + 1 WHERE flag;
        END
        """)),
    DamageMode(inspect: { url, _ in
      struct Trapped: Error {}
      let count = FileManager.default.enumerator(atPath: url.path)?.allObjects.count ?? 0
      if count > 2 { throw Trapped() }
    }),
  ]
}
