import UndercroftCore
package import UndercroftSync

/// The comparison of this library with histories of the executable model of the protocol.
///
/// The model decides what happens and when: changes of users, requests, lost messages, and the ends
/// of processes. The library repeats it, and must show the same rows, queues, answers and conflicts
/// after each step.
public struct ModelComparison {
  /// The numbers of histories and steps that were compared.
  public private(set) var histories = 0
  public private(set) var steps = 0
  /// The histories in which the library differs.
  public private(set) var differences: [ModelDifference] = []

  /// The rules of the library that are switched off.
  private let mutations: Set<SyncMutation>
  private var replay: ModelReplay?
  private var seed: Int64 = 0
  private var step = 0

  /// Creates a comparison without histories.
  public init() { mutations = [] }

  /// Creates a comparison of a library without some rules, which must find differences.
  package init(without mutations: Set<SyncMutation>) { self.mutations = mutations }

  /// Compares all histories of a trace.
  ///
  /// - Parameter report: receives the first difference of each history.
  /// - Throws: the errors of the trace.
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

/// The first difference between the library and the model in a history.
public struct ModelDifference: Sendable, CustomStringConvertible {
  /// The seed of the history.
  public let seed: Int64
  /// The number of the step, beginning with 1.
  public let step: Int
  /// The kind of the step, such as "seal".
  public let kind: String
  /// The description of the difference.
  public let text: String

  public var description: String { "seed \(seed), step \(step) (\(kind)): \(text)" }
}

/// A difference in one step.
struct ModelMismatch: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }

  /// Throws if a result of the library is not that of the model.
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
