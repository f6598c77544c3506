import UndercroftSync

/// A change of a column, or a deletion, by a user.
struct SimulatedWrite {
  let row: SimulatedRowName
  /// The column, or `nil` for a deletion.
  let column: String?
  /// The new value, or an empty string for a deletion and for NULL.
  ///
  /// Each change writes a different value, except an answer that restores a lost value.
  let value: String
  /// The values that the user saw, by column.
  let before: [String: String]
  let device: Int
  /// The name of the atomic group of the change, or `nil` if the change belongs to no group.
  var group: String?
  /// The conflict that the change answers, or `nil` if the change is not an answer.
  var answered: ConflictIdentifier?
  var isReinsertion = false
  /// Whether the server may make the change although the device has not shown it, because the row
  /// meets the condition of a batch on the server.
  var isPossible = false
  /// Whether the change may be missing, because a backup was restored on the device after the
  /// change, or because the row was deleted before the change was sent.
  var isWithdrawn = false
}

extension SimulatedWrite: CustomStringConvertible {
  var description: String {
    let change = column.map { "wrote \(value) to \($0) of \(row)" } ?? "deleted \(row)"
    return "device \(device) \(isPossible ? "possibly " : "")\(change)"
  }
}

/// An addition to the counter of a row.
struct SimulatedIncrement {
  let row: SimulatedRowName
  let bit: Int64
  let device: Int
  /// The name of the atomic group of the addition, or `nil` if the addition belongs to no group.
  var group: String?
  var isWithdrawn = false
}

/// An answer of a user to a conflict.
struct SimulatedAnswer {
  let conflict: ConflictIdentifier
  let row: SimulatedRowName
  /// The operation that contains the answer.
  let operation: OperationIdentifier
  let device: Int
  /// The lost additions to the counter that the answer has applied.
  let restoredBits: Int64
  var isWithdrawn = false
}

/// A log of all changes of users in a simulated history, which is used to find lost changes.
struct WriteLog {
  private(set) var writes: [SimulatedWrite] = []
  private(set) var increments: [SimulatedIncrement] = []
  private(set) var answers: [SimulatedAnswer] = []
  /// The rows that some user has deleted.
  private(set) var deletedRows: Set<SimulatedRowName> = []
  /// The rows that an answer to a conflict has inserted again.
  private(set) var restoredRows: Set<SimulatedRowName> = []
  /// The rows that were ever inserted, in the order of their first insertions.
  private(set) var knownRows: [SimulatedRowName] = []
  private var nextValue = 0
  private var nextBit = 0
  private var groupCount = 0

  /// The numbers of entries in the log when a backup was made.
  ///
  /// If the backup is restored, all later entries of its device are withdrawn.
  struct Mark {
    fileprivate let writes: Int
    fileprivate let increments: Int
    fileprivate let answers: Int
  }

  /// The current numbers of entries in the log.
  var mark: Mark {
    Mark(writes: writes.count, increments: increments.count, answers: answers.count)
  }

  mutating func makeValue() -> String {
    nextValue += 1
    return "v\(nextValue)"
  }

  mutating func makeGroupName() -> String {
    groupCount += 1
    return "group \(groupCount)"
  }

  /// Returns a power of two that no other addition has, or 0 after 62 calls.
  ///
  /// If each addition sets a bit of its own, a sum shows which additions were lost or applied
  /// twice.
  mutating func makeBit() -> Int64 {
    guard nextBit < 62 else { return 0 }
    nextBit += 1
    return 1 << (nextBit - 1)
  }

  mutating func append(_ made: [SimulatedWrite]) { writes += made }

  mutating func append(_ increment: SimulatedIncrement) {
    if increment.bit != 0 { increments.append(increment) }
  }

  mutating func append(_ answer: SimulatedAnswer) { answers.append(answer) }

  mutating func noteInsertion(of row: SimulatedRowName) {
    if !knownRows.contains(row) { knownRows.append(row) }
  }

  mutating func noteRestoration(of row: SimulatedRowName) { restoredRows.insert(row) }

  mutating func noteDeletion(of row: SimulatedRowName) { deletedRows.insert(row) }

  /// Sets `isWithdrawn` for all changes of a device that were added to the log after `mark`.
  mutating func withdraw(since mark: Mark, by device: Int) {
    for index in writes.indices.dropFirst(mark.writes) where writes[index].device == device {
      writes[index].isWithdrawn = true
    }
    for index in increments.indices.dropFirst(mark.increments)
    where increments[index].device == device {
      increments[index].isWithdrawn = true
    }
    for index in answers.indices.dropFirst(mark.answers) where answers[index].device == device {
      answers[index].isWithdrawn = true
    }
  }

  /// Sets `isWithdrawn` for the writes of a row that was inserted and deleted before it was sent.
  ///
  /// - Parameter device: the device whose writes are withdrawn, or `nil` for all devices, which is
  ///   necessary if several devices have copies of the same file.
  mutating func withdraw(_ row: SimulatedRowName, by device: Int?) {
    for index in writes.indices
    where writes[index].row == row && (device == nil || writes[index].device == device) {
      writes[index].isWithdrawn = true
    }
  }

  /// Returns the values that a device has written last to the columns of a row.
  func values(of row: SimulatedRowName, by device: Int) -> [String: String] {
    writes.reduce(into: [:]) { values, write in
      guard write.row == row, write.device == device, let column = write.column else { return }
      values[column] = write.value
    }
  }

  /// Returns the bits that users have added to the counter of a row.
  func bits(of row: SimulatedRowName) -> Int64 {
    increments.reduce(0) { $1.row == row ? $0 | $1.bit : $0 }
  }
}
