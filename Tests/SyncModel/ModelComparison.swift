import UndercroftCore
package import UndercroftSync

/// The comparison of this library with histories of the protocol model, a program in Python.
///
/// A history is a sequence of steps, such as changes of users, requests, lost messages and crashes,
/// which the model chooses at random. The library repeats each step. Afterwards, its rows, queues,
/// answers and conflicts must equal those of the model.
public struct ModelComparison {
  /// The number of histories that were compared.
  public private(set) var histories = 0
  /// The number of steps that were compared.
  public private(set) var steps = 0
  /// The first difference of each history in which the library differs from the model.
  public private(set) var differences: [ModelDifference] = []

  /// The disabled protocol rules of the library.
  private let mutations: Set<SyncMutation>
  private var replay: ModelReplay?
  private var seed: Int64 = 0
  private var step = 0

  /// Creates a comparison that has not compared a history yet.
  public init() { mutations = [] }

  /// Creates a comparison of a library with disabled protocol rules.
  ///
  /// Tests use it to verify that the comparison finds a difference.
  package init(without mutations: Set<SyncMutation>) { self.mutations = mutations }

  /// Repeats all histories of a trace, and compares each step with the model.
  ///
  /// - Parameter report: a closure that is called with the first difference of each history.
  /// - Throws: the errors of reading the trace. A difference is no error.
  public mutating func compare(
    _ trace: consuming ModelTrace, report: (ModelDifference) -> Void = { _ in }
  ) throws {
    while let line = try trace.next() {
      let kind = line["t"].text
      if kind == "start" {
        (seed, step) = (line["seed"].integer, 0)
        histories += 1
      }
      step += 1
      do {
        if kind == "start" { replay = try ModelReplay(line, without: mutations) }
        guard let replay else { continue }
        steps += 1
        if kind == "violation" {
          throw ModelMismatch("the model violates a rule itself: \(line["text"].text)")
        }
        try replay.perform(kind, line)
      } catch {
        replay = nil
        let difference = ModelDifference(seed: seed, step: step, kind: kind, text: "\(error)")
        differences.append(difference)
        report(difference)
      }
    }
  }
}

/// The first difference between the library and the model in one history.
public struct ModelDifference: Sendable, CustomStringConvertible {
  /// The seed of the history.
  public let seed: Int64
  /// The number of the step in the history, which is at least 1.
  public let step: Int
  /// The kind of the step, such as "seal".
  public let kind: String
  /// The text that describes the results of the library and of the model.
  public let text: String

  public var description: String { "seed \(seed), step \(step) (\(kind)): \(text)" }
}

/// The error for a step whose result in the library differs from that in the model.
struct ModelMismatch: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }

  /// Throws a ``ModelMismatch`` that names the first different part if two results differ.
  static func require(_ found: JSONValue, equals model: JSONValue, _ what: String) throws {
    guard let path = difference(found, model, path: what) else { return }
    throw ModelMismatch(path)
  }

  private static func difference(
    _ found: JSONValue, _ model: JSONValue, path: String
  ) -> String? {
    if found == model { return nil }
    switch (found, model) {
    case (.object(let found), .object(let model)):
      for key in Set(found.keys).union(model.keys).sorted()
      where found[key] != model[key] {
        guard let left = found[key], let right = model[key] else { break }
        return difference(left, right, path: "\(path).\(key.text)")
      }
    case (.array(let found), .array(let model)) where found.count == model.count:
      for (index, pair) in zip(found, model).enumerated() where pair.0 != pair.1 {
        return difference(pair.0, pair.1, path: "\(path)[\(index)]")
      }
    default: break
    }
    return "\(path) is \(found.shown), and the model has \(model.shown)"
  }
}
