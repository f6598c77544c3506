import UndercroftCore
import UndercroftFoundation
import UndercroftInspection

extension BackendConformance {
  static let inspection: [Check] = [
    Check(
      "inspection lists the same names as keys, if the capability is declared",
      requiredCapabilities: .inspectable
    ) {
      trial in
      let names = ["book/2", "book/1", "loan/ü", "a b"]
      for name in names { try trial.set(name, "value of \(name)") }
      try trial.apply(.set("gone", Data()), .remove("gone"))
      guard try isDeclared(trial) else { return }
      let wanted = try trial.keys().sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      try inspect(trial) { store in
        let report = try store.inspect()
        try trial.expect(!report.format.isEmpty, "the report names no format")
        try trial.expect(
          report.entryCount == nil || report.entryCount == names.count,
          "the report counts \(report.entryCount ?? 0) entries, and the store has \(names.count)")
        let entries = try store.entries(withPrefix: "")
        try trial.expect(
          entries.map { Array($0.name.utf8) } == wanted.map { Array($0.utf8) },
          "the entries are \(entries.map(\.name)) where the keys are \(wanted)")
        for entry in entries {
          let bytes = try store.bytes(of: entry.name)
          try trial.expect(
            bytes == Data("value of \(entry.name)".utf8),
            "the bytes of an entry differ from those of read")
          try trial.expect(
            entry.byteCount == nil || entry.byteCount == bytes?.count,
            "the size of an entry is wrong")
        }
        let books = try store.entries(withPrefix: "book/").map(\.name)
        try trial.expect(
          books == ["book/1", "book/2"], "the entries with the prefix \"book/\" are \(books)")
        let absent = try store.bytes(of: "absent")
        try trial.expect(absent == nil, "an absent entry has bytes")
      }
    },
    Check(
      "inspection passes each entry and each value once, if the capability is declared",
      requiredCapabilities: .inspectable
    ) {
      trial in
      let names = ["book/1", "book/2", "loan/1"]
      for name in names { try trial.set(name, "value of \(name)") }
      guard try isDeclared(trial) else { return }
      try inspect(trial) { store in
        for prefix in ["", "book/"] {
          let wanted = names.filter { $0.hasPrefix(prefix) }
          var (listed, read): ([String], [String]) = ([], [])
          try store.forEachEntry(withPrefix: prefix) { entry in
            listed.append(entry.name)
            let bytes = try store.bytes(of: entry.name)
            try trial.expect(bytes != nil, "an entry that forEachEntry passes has no bytes")
            return true
          }
          try store.forEachValue(withPrefix: prefix) { name, bytes in
            read.append(name)
            try trial.expect(
              bytes == Data("value of \(name)".utf8), "forEachValue passes other bytes than read")
            return true
          }
          try trial.expect(listed.sorted() == wanted, "forEachEntry passes \(listed)")
          try trial.expect(read.sorted() == wanted, "forEachValue passes \(read)")
        }
        var count = 0
        try store.forEachValue(withPrefix: "") { _, _ in
          count += 1
          return false
        }
        try trial.expect(count == 1, "forEachValue continues after its closure returns false")
      }
    },
    Check(
      "inspection changes no byte on disk, if the capability is declared",
      requiredCapabilities: .inspectable
    ) {
      trial in
      for round in 0..<20 { try trial.set("book/\(round)", String(repeating: "x", count: round)) }
      guard try isDeclared(trial) else { return }
      var before = try FileTree(of: trial.directory)
      try inspect(trial, after: { before = try FileTree(of: trial.directory) }) { store in
        _ = try store.inspect()
        for entry in try store.entries(withPrefix: "") { _ = try store.bytes(of: entry.name) }
        _ = try store.bytes(of: "absent")
        let during = try FileTree(of: trial.directory).differences(from: before)
        try trial.expect(during.isEmpty, "these files changed during the inspection: \(during)")
      }
      let after = try FileTree(of: trial.directory).differences(from: before)
      try trial.expect(after.isEmpty, "these files differ after the inspection: \(after)")
    },
  ]

  /// Returns whether the backend declares ``Capabilities/inspectable``.
  ///
  /// Throws if the backend is ``Inspectable`` but does not declare the
  /// capability, or declares the capability but is not ``Inspectable``.
  private static func isDeclared(_ trial: CheckContext) throws -> Bool {
    let isDeclared = try trial.declares(.inspectable)
    let isInspectable = try trial.backend is any Inspectable
    try trial.expect(
      isDeclared == isInspectable,
      isDeclared
        ? "the backend is not Inspectable although it declares .inspectable"
        : "the backend is Inspectable although it does not declare .inspectable")
    return isDeclared
  }

  /// Inspects the backend itself or, if the harness has an inspector factory, the closed store.
  ///
  /// - Parameter ready: a closure that is called before the inspection, after every other user of
  ///   the store has closed the store.
  private static func inspect(
    _ trial: CheckContext, after ready: () throws -> Void = {},
    _ body: (any Inspectable) throws -> Void
  ) throws {
    guard let inspector = trial.harness.inspector else {
      let backend = try trial.backend
      try ready()
      if let store = backend as? any Inspectable { try body(store) }
      return
    }
    guard let location = try trial.backend.location else {
      throw ConformanceFailure(
        "the inspector of the harness needs the location of the backend, but the location is nil")
    }
    let isConfidential = try trial.declares(.confidential)
    trial.close()
    try ready()
    try trial.expect(
      inspector.recognises(location),
      "the inspector \"\(inspector.scheme)\" does not recognise the store")
    let isLessRecognised = inspector.recognises(location.appending(path: "absent"))
    try trial.expect(
      !isLessRecognised, "the inspector recognises a path at which there is no store")
    let store = try inspector.open(location, trial.harness.credentials(trial.directory))
    do {
      try body(store)
    } catch let error as StorageError where error.code == .locked && isConfidential {
      // Without the key, only the report of an encrypted store is available.
      _ = try store.inspect()
    }
  }
}
