import UndercroftInspection

/// The check which processes use the stores: their locks, and the files that they have open.
struct UseCheck {
  /// The number of locks and of processes that are shown.
  private static let maximumCount = 10

  let files: [StoreFile]
  let locks: HeldLocks

  func findings() -> [Finding] {
    let held = files.flatMap { file in
      locks.on(file).map { "\($0.description) on \(file.path)" }
    }
    let openers = FileOpener.all(of: files).map(\.description)
    return held.prefix(Self.maximumCount).map { Finding(.note, "lock", $0) }
      + more(held.count, "lock", "locks")
      + openers.prefix(Self.maximumCount).map { Finding(.note, "in use", "opened by \($0)") }
      + more(openers.count, "in use", "processes")
  }

  private func more(_ count: Int, _ subject: String, _ items: String) -> [Finding] {
    let rest = count - Self.maximumCount
    return rest > 0 ? [Finding(.note, subject, "… and \(rest) more \(items)")] : []
  }
}
