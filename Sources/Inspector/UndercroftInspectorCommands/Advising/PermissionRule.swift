import UndercroftInspection

/// A rule that recognises files that other users can read or write.
struct PermissionRule: AdviceRule {
  static let names = ["shared-file"]

  func advice(about store: AdvisedStore) throws -> [Advice] {
    let writable = store.files.filter { $0.mode & 0o022 != 0 }
    let readable = store.files.filter { file in
      file.mode & 0o022 == 0 && file.isSharedWithOthers
    }
    // A folder of the path can prevent other users from opening a readable file.
    let isReachable = Reachability.includesOthers(store.discovered.path)
    let isExposed = store.opened.isConfidential || isReachable
    return [
      advice(about: store, writable, "write"),
      isExposed ? advice(about: store, readable, "read") : nil,
    ].compactMap(\.self)
  }

  private func advice(
    about store: AdvisedStore, _ files: [StoreFile], _ verb: String
  ) -> Advice? {
    guard let first = files.first else { return nil }
    let isFolder = store.files.count > 1 && first.path != store.discovered.path
    let subject = files.count == 1 ? first.path : store.discovered.path
    let object = files.count == 1 ? "the file (mode \(first.modeText))" : "\(files.count) files"
    let command =
      files.count > 1 && isFolder
      ? "chmod -R go-rwx \(ShellText.exact(subject))"
      : "chmod go-rwx \(files.map { ShellText.exact($0.path) }.joined(separator: " "))"
    return Advice(
      rule: "shared-file", store: store.name, subject: subject, count: files.count,
      reason: "other users can \(verb) \(object)", fix: command, command: command)
  }
}
