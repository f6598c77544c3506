import Foundation
import UndercroftCore
import UndercroftInspection

/// A description of the values that an edit would change.
struct EditPreview {
  let excerpt: ValueExcerpt

  /// Passes one line for each changed value to `body`.
  ///
  /// A change to the value that the store has already is omitted. Values of confidential stores are
  /// not shown.
  ///
  /// - Parameter limit: the maximum number of changes that are compared with the store.
  func forEachLine(
    of edit: StoreEdit, limit: Int? = nil, _ body: (String) throws -> Void
  ) throws {
    for change in edit.changes.prefix(limit ?? .max) {
      let old = try edit.opened?.bytes(of: change.name)
      let new = change.bytes
      guard old != new else { continue }
      let sign: Difference.Change = old == nil ? .added : new == nil ? .removed : .changed
      let show = { (bytes: Data) in
        edit.isConfidential
          ? ByteText.readable(bytes.count) : excerpt.text(of: bytes, named: change.name)
      }
      let values = [old, new].compactMap(\.self).map(show).joined(separator: " → ")
      let subject = [edit.store.kind, change.name].compactMap(\.self).map { ValueText.safe($0) }
      try body("\(sign.rawValue) \(subject.joined(separator: " ")): \(values)")
    }
  }
}
