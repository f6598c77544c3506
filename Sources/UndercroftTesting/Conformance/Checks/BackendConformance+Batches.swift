import UndercroftCore
import UndercroftFoundation

extension BackendConformance {
  static let batches: [Check] = [
    Check("changes apply in order") { trial in
      try trial.set("old", "old")
      try trial.apply(
        .set("a", Data("1".utf8)), .remove("a"), .set("a", Data("2".utf8)),
        .set("b", Data("1".utf8)), .remove("b"), .remove("old"), .set("c", Data("1".utf8)),
        .set("c", Data("2".utf8)))
      try trial.expect("a", reads: "2")
      try trial.expect("b", reads: nil as Data?)
      try trial.expect("c", reads: "2")
      try trial.expectKeys("", ["a", "c"])
    },
    Check("an empty batch succeeds and changes nothing") { trial in
      try trial.apply([])
      try trial.expectKeys("", [])
      try trial.set("book", "kept")
      let before = try FileTree(of: trial.directory)
      try trial.apply([])
      let changed = try FileTree(of: trial.directory).differences(from: before)
      try trial.expect(changed.isEmpty, "applying no change wrote \(changed)")
      try trial.expect("book", reads: "kept")
    },
    Check(
      "a failing batch leaves no trace, or exactly the changes before the failure",
      requiredCapabilities: .atomicBatches
    ) {
      trial in
      // A backend is allowed to reject a name of this length.
      // If it accepts the name, the whole batch must succeed.
      let isBroken = try trial.breakWrites(to: "broken")
      let name = isBroken ? "broken" : String(repeating: "too long ", count: 10_000)
      try trial.apply(
        .set("kept", Data("old".utf8)), .set("removed", Data("old".utf8)),
        .set("later", Data("old".utf8)))
      let isAtomic = try trial.declares(.atomicBatches)
      var hasFailed = false
      do {
        try trial.apply(
          .set("kept", Data("new".utf8)), .set("added", Data("new".utf8)), .remove("removed"),
          .set(name, Data("new".utf8)), .set("later", Data("new".utf8)))
      } catch is StorageError {
        hasFailed = true
      }
      try trial.expect(
        hasFailed || !isBroken,
        "the batch succeeded although the harness broke writes to one name of the batch")
      let isApplied = !hasFailed || !isAtomic
      for _ in 0..<2 {
        try trial.expect("kept", reads: isApplied ? "new" : "old")
        try trial.expect("added", reads: isApplied ? "new" : nil)
        try trial.expect("removed", reads: isApplied ? nil : "old")
        try trial.expect("later", reads: hasFailed ? "old" : "new")
        // The fault of the harness may make reading this name fail as
        // well, but the read must not succeed.
        if hasFailed, let found = try? trial.read(name) {
          let size = found.count == 1 ? "1 byte" : "\(found.count) bytes"
          throw ConformanceFailure(
            """
            the entry \(quoted(trial.short(name))) has a value of \(size) although the batch that \
            sets this entry failed
            """)
        }
        // The store must have the same content after it is reopened.
        guard try trial.declares(.persistent) else { return }
        trial.close()
      }
    },
    Check("after a failing batch the next one succeeds") { trial in
      let isBroken = try trial.breakWrites(to: "broken")
      let name = isBroken ? "broken" : String(repeating: "too long ", count: 10_000)
      for round in 0..<3 {
        do { try trial.apply(.set("a", Data([0])), .set(name, Data([1]))) } catch is StorageError {}
        try trial.apply(.set("b", Data("\(round)".utf8)))
        try trial.expect("b", reads: "\(round)")
      }
    },
  ]
}
