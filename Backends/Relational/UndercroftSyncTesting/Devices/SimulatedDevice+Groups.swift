import UndercroftSQLite

extension SimulatedDevice {
  /// Changes 2 to 4 rows in one transaction and one atomic group, and returns the changes, or `nil`
  /// if nothing was committed.
  ///
  /// A cascade of a foreign key can change further rows in the group.
  func changeAtomically(_ user: inout SimulatedUser) throws -> SimulatedEdit? {
    let name = user.log.makeGroupName()
    let count = 2 + user.random.below(3)
    var edit = SimulatedEdit(group: name)
    let isDone: Bool? = try run {
      try database.write { db in
        try db.execute("UPDATE sync_clock SET group_id = \(name)")
        for _ in 0..<count {
          let rows = try rows().filter { !edit.changes($0.name) }
          let action: SimulationAction = user.random.choose(
            .insert, .update, .update, .update, .delete, .upsert, .replace, .reinsert)
          // Without a further row, the edit would insert one, also if the profile permits none.
          guard let row = rows.first else { continue }
          // A batch, as which an edit can delete rows, belongs to no group.
          let change =
            action == .delete
            ? try delete(user.random.element(of: rows) ?? row)
            : try self.edit(action, among: rows, &user)
          if let change { edit.add(change) }
        }
        try db.execute("UPDATE sync_clock SET group_id = NULL")
      }
      return true
    }
    guard isDone == true, !edit.writes.isEmpty else { return nil }
    for index in edit.writes.indices { edit.writes[index].group = name }
    for index in edit.increments.indices { edit.increments[index].group = name }
    return edit
  }
}

extension SimulatedEdit {
  fileprivate func changes(_ row: SimulatedRowName) -> Bool {
    writes.contains { $0.row == row }
  }

  fileprivate mutating func add(_ other: SimulatedEdit) {
    writes += other.writes
    increments += other.increments
    insertedRows += other.insertedRows
    deletedRows += other.deletedRows
  }
}
