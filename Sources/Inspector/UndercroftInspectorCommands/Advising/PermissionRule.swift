import UndercroftInspection

/// A rule that recognises files that other users can read or write.
struct PermissionRule: AdviceRule {
  func advice(about store: AdvisedStore) throws -> [Advice] {
    StoreFile.all(at: store.discovered.url, limit: 1_000).compactMap { file in
      let isWritable = file.mode & 0o022 != 0
      guard isWritable || store.opened.isConfidential && file.isSharedWithOthers else {
        return nil
      }
      return Advice(
        rule: "shared-file", store: store.name, subject: file.path,
        reason: "other users can \(isWritable ? "write" : "read") the file (mode \(file.modeText))",
        fix: "chmod go-rwx \(Self.quoted(file.path))")
    }
  }

  /// Returns a path as one word for a shell.
  private static func quoted(_ path: String) -> String {
    "'\(path.replacing("'", with: "'\\''"))'"
  }
}
