import Synchronization
import UndercroftCore
import UndercroftInspection

/// The completion of lines in the shell: commands, options, kinds, and the names of values, tables
/// and columns.
final class ShellCompleter: Sendable {
  /// The commands of the shell itself.
  private static let ownCommands = ["exit", "help", "use"]

  private let path: String
  private let commands: [String]
  private let identifiers = Mutex<[String]?>(nil)

  /// Creates a completer for the stores at a path.
  ///
  /// - Parameters:
  ///   - path: the path of the stores.
  ///   - commands: the names of the subcommands.
  init(path: String, commands: [String]) {
    self.path = path
    self.commands = (commands + Self.ownCommands).sorted()
  }

  /// Returns the completions of the last word of a line that ends at the cursor.
  func completions(of line: [Unicode.Scalar], kind: String?) -> ShellCompletion {
    switch try? ShellLine(parsing: String(String.UnicodeScalarView(line))) {
    case .query?, .plan?: return statement(line)
    default: return words(line, kind)
    }
  }

  // MARK: SQL

  private func statement(_ line: [Unicode.Scalar]) -> ShellCompletion {
    let length = line.reversed().prefix { scalar in
      scalar == "_" || scalar == "." || scalar == "\"" || scalar.properties.isAlphabetic
        || ("0"..."9").contains(scalar)
    }.count
    let start = line.count - length
    let word = String(String.UnicodeScalarView(line[start...]))
    let typed = word.lowercased()
    let candidates =
      typed.isEmpty ? [] : knownIdentifiers().filter { $0.lowercased().hasPrefix(typed) }
    let common = ShellCompletion.commonPrefix(of: candidates)
    // Identifiers that differ in case may have less in common than was typed.
    let isLonger = common.unicodeScalars.count > length
    return ShellCompletion(
      start: start, candidates: candidates, insertion: isLonger ? common : word)
  }

  /// Returns the identifiers of the stores, which are read once, because opening all stores for
  /// each Tab takes too long.
  private func knownIdentifiers() -> [String] {
    identifiers.withLock { known in
      if let known { return known }
      var found: [String] = []
      for (kind, tables) in StoreNames(at: path).tablesByKind() {
        let schema = kind.map(SQLIdentifier.shown)
        if let schema { found.append(schema) }
        for table in tables {
          let name = SQLIdentifier.shown(table.name)
          found += [name] + (schema.map { ["\($0).\(name)"] } ?? [])
          found += table.columns.map(SQLIdentifier.shown)
        }
      }
      found += ["name", "value", "bytes"]
      let safe = Set(found.filter { ValueText.safe($0) == $0 }.map { ExactString($0) })
      let names = safe.sorted().map(\.text)
      known = names
      return names
    }
  }

  // MARK: Commands

  private func words(_ line: [Unicode.Scalar], _ kind: String?) -> ShellCompletion {
    let parts = ShellWords(line)
    var texts = parts.texts
    let typed = parts.endsBetweenWords ? "" : (texts.popLast() ?? "")
    let start = parts.endsBetweenWords ? line.count : (parts.words.last?.start ?? line.count)
    let names = names(after: texts, typed, kind)
    let matching = names.filter { Self.completes(typed, $0) }
    let rests = Set(matching.map { ExactString($0) }).sorted().map { name in
      String(name.text.unicodeScalars.dropFirst(typed.unicodeScalars.count))
    }
    .filter { parts.continuation(by: $0, closesQuote: false) != nil }
    let word = String(String.UnicodeScalarView(line[start...]))
    // The common prefix is quoted afterwards, so that it does not end in the middle of an escape.
    let common = ShellCompletion.commonPrefix(of: rests)
    let candidates = rests.compactMap { rest in
      parts.continuation(by: rest, closesQuote: rests.count == 1).map { word + $0 }
    }
    let insertion =
      candidates.count == 1
      ? candidates[0] : word + (parts.continuation(by: common, closesQuote: false) ?? "")
    return ShellCompletion(start: start, candidates: candidates, insertion: insertion)
  }

  /// Returns whether a name can replace a typed word.
  ///
  /// The words are compared by scalars, because a part of a character can be typed.
  private static func completes(_ typed: String, _ name: String) -> Bool {
    name.unicodeScalars.starts(with: typed.unicodeScalars) && ValueText.safe(name) == name
  }

  private func names(after texts: [String], _ typed: String, _ kind: String?) -> [String] {
    switch texts.first {
    case nil: return commands
    case "use"?: return StoreNames(at: path).kinds
    case "help"?, "man"?: return commands
    default: break
    }
    guard let (command, count) = CommandDescription.subcommand(in: texts) else { return [] }
    let parsed = CommandLineWords(texts.dropFirst(count), of: command)
    if let option = parsed.openOption { return values(of: option, command) }
    if typed.hasPrefix("-"), !parsed.endsOptions {
      return command.displayedArguments.flatMap { ($0.names ?? []).map(\.text) }
        .filter { $0.hasPrefix("--") }
    }
    // The shell inserts the path before the typed arguments.
    let index = parsed.positionals.count + (command.inspectsPath ? 1 : 0)
    guard let argument = command.positional(at: index) else { return [] }
    let typedKinds = parsed.values(of: "kind")
    let kinds = typedKinds.isEmpty ? [kind].compactMap(\.self) : typedKinds
    switch argument.valueName {
    case "name"?, "names"?:
      return StoreNames(at: path).values(withPrefix: typed, of: kinds) { name in
        Self.completes(typed, name)
      }
    case "table"?: return StoreNames(at: path).tables(of: kinds).map(\.name)
    default: return argument.allValues ?? []
    }
  }

  private func values(of option: String, _ command: CommandDescription) -> [String] {
    if option == "kind" { return StoreNames(at: path).kinds }
    return command.argument(named: option)?.allValues ?? []
  }
}
