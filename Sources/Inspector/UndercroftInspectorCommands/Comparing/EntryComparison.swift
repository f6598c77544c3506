import Foundation
import UndercroftCore
import UndercroftInspection

/// The comparison of the named values of two stores.
struct EntryComparison {
  let kind: String
  let excerpt: ValueExcerpt
  /// The progress, which counts the values of both stores.
  let progress: Progress

  /// Passes each difference to `body`, sorted by name, until `body` returns `false`.
  ///
  /// A store that is `nil` has no values.
  func run(_ old: OpenedStore?, _ new: OpenedStore?, _ body: (Difference) throws -> Bool) throws {
    var left = (try old?.entries() ?? [])[...]
    var right = (try new?.entries() ?? [])[...]
    progress.expect(left.count + right.count)
    while true {
      guard let difference = try next(&left, &right, old, new) else {
        if left.isEmpty, right.isEmpty { return }
        continue
      }
      guard try body(difference) else { return }
    }
  }

  /// Removes the smallest name from the entries, and returns the difference of its values, or `nil`
  /// if they are equal.
  private func next(
    _ left: inout ArraySlice<InspectionEntry>, _ right: inout ArraySlice<InspectionEntry>,
    _ old: OpenedStore?, _ new: OpenedStore?
  ) throws -> Difference? {
    guard let name = [left.first?.name, right.first?.name].compactMap(\.self).min(by: precedes)
    else { return nil }
    let wasThere = left.first.map { $0.name.isExactly(name) } ?? false
    let isThere = right.first.map { $0.name.isExactly(name) } ?? false
    let sizes = (left.first?.byteCount, right.first?.byteCount)
    progress.advance(by: (wasThere ? 1 : 0) + (isThere ? 1 : 0))
    if wasThere { left.removeFirst() }
    if isThere { right.removeFirst() }
    let before = wasThere ? try old?.bytes(of: name) : nil
    let after = isThere ? try new?.bytes(of: name) : nil
    if wasThere, isThere, sizes.0 == sizes.1, before == after { return nil }
    if let before, let after {
      let texts = ChangedValueText(before, after, named: name, excerpt)
      return Difference(change: .changed, kind: kind, key: name, old: texts.old, new: texts.new)
    }
    return Difference(
      change: !wasThere ? .added : !isThere ? .removed : .changed, kind: kind, key: name,
      old: before.map { excerpt.text(of: $0, named: name) },
      new: after.map { excerpt.text(of: $0, named: name) })
  }

  /// Entries are sorted by the UTF-8 bytes of their names.
  private func precedes(_ lhs: String, _ rhs: String) -> Bool {
    lhs.utf8.lexicographicallyPrecedes(rhs.utf8)
  }
}
