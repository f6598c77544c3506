import CSQLite

/// The choice of the conditions that a virtual table of named values evaluates itself.
/// (`xBestIndex`)
enum EntryPlanner {
  /// Chooses a search for the conditions in `info`.
  ///
  /// - Parameters:
  ///   - info: the conditions of the query, and the choice.
  ///   - count: the estimated number of rows of the table.
  static func choose(_ info: UnsafeMutablePointer<sqlite3_index_info>, count: Int) {
    let equality = condition(info, [SQLITE_INDEX_CONSTRAINT_EQ])
    let lower = condition(info, [SQLITE_INDEX_CONSTRAINT_GE, SQLITE_INDEX_CONSTRAINT_GT])
    let upper = condition(info, [SQLITE_INDEX_CONSTRAINT_LT, SQLITE_INDEX_CONSTRAINT_LE])
    if let equality {
      select(.equality, [equality], info, rows: 1, cost: 1)
      info.pointee.idxFlags |= SQLITE_INDEX_SCAN_UNIQUE
    } else if let lower, let upper {
      let rows = max(1, count / 4)
      select(.range, [lower, upper], info, rows: rows, cost: cost(rows, info))
    } else {
      select(.all, [], info, rows: count, cost: cost(count, info))
    }
  }

  /// Returns the index of the first condition on the name that has one of the operators.
  ///
  /// Names are compared by their bytes. A condition with another collation, such as `NOCASE`, can
  /// be true for other names.
  private static func condition(
    _ info: UnsafeMutablePointer<sqlite3_index_info>, _ operators: [Int32]
  ) -> Int? {
    guard let conditions = info.pointee.aConstraint else { return nil }
    return (0..<Int(info.pointee.nConstraint)).first { index in
      let condition = conditions[index]
      guard condition.usable != 0, condition.iColumn == 0,
        operators.contains(Int32(condition.op)),
        let collation = sqlite3_vtab_collation(info, Int32(index))
      else { return false }
      return sqlite3_stricmp(collation, "BINARY") == 0
    }
  }

  /// Reading a value costs more than reading a name.
  private static func cost(
    _ rows: Int, _ info: UnsafeMutablePointer<sqlite3_index_info>
  ) -> Double {
    let readsValue = info.pointee.colUsed & 0b10 != 0
    return Double(rows) * (readsValue ? 20 : 2)
  }

  private static func select(
    _ plan: EntrySearch.Plan, _ conditions: [Int],
    _ info: UnsafeMutablePointer<sqlite3_index_info>, rows: Int, cost: Double
  ) {
    for (offset, index) in conditions.enumerated() {
      // SQLite checks the condition again, because `omit` remains 0.
      info.pointee.aConstraintUsage?[index].argvIndex = Int32(offset + 1)
    }
    info.pointee.idxNum = plan.rawValue
    // SQLite does not change or free the text.
    info.pointee.idxStr = UnsafeMutableRawPointer(mutating: plan.text.utf8Start)
      .assumingMemoryBound(to: CChar.self)
    info.pointee.needToFreeIdxStr = 0
    info.pointee.estimatedRows = Int64(rows)
    info.pointee.estimatedCost = cost
  }
}
