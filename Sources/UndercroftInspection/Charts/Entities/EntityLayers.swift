/// The layers of tables: a table is in a later layer than the tables to which it refers.
struct EntityLayers {
  /// The layer of each table.
  private(set) var ranks: [Int]
  private let targets: [[Int]]
  private let sources: [[Int]]

  init(tableCount: Int, references: [ResolvedReference]) {
    var targets = Array(repeating: [Int](), count: tableCount)
    var sources = targets
    var seen: Set<[Int]> = []
    for edge in references where edge.source != edge.target {
      guard seen.insert([edge.source, edge.target]).inserted else { continue }
      targets[edge.source].append(edge.target)
      sources[edge.target].append(edge.source)
    }
    (self.targets, self.sources) = (targets, sources)
    ranks = Array(repeating: 0, count: tableCount)
    assignRanks()
    moveSinks()
  }

  /// Assigns the length of the longest path of references to each table.
  ///
  /// The depth-first search ignores references to a table that is still on its path, because they
  /// close a cycle.
  private mutating func assignRanks() {
    var isVisited = Array(repeating: false, count: ranks.count)
    var isOnPath = isVisited
    for root in ranks.indices where !isVisited[root] {
      var path = [(table: root, next: 0)]
      (isVisited[root], isOnPath[root]) = (true, true)
      while let (table, next) = path.last {
        guard next < targets[table].count else {
          isOnPath[table] = false
          path.removeLast()
          continue
        }
        let target = targets[table][next]
        if isVisited[target] {
          // The rank of a table that is not on the path is final.
          if !isOnPath[target] { ranks[table] = max(ranks[table], ranks[target] + 1) }
          path[path.count - 1].next += 1
        } else {
          (isVisited[target], isOnPath[target]) = (true, true)
          path.append((target, 0))
        }
      }
    }
  }

  /// Moves tables that refer to no table next to the first table that refers to them.
  private mutating func moveSinks() {
    let assigned = ranks
    for table in ranks.indices where targets[table].isEmpty {
      if let first = sources[table].map({ assigned[$0] }).min() { ranks[table] = max(first - 1, 0) }
    }
  }

  /// The connected components of the tables, each in ascending order.
  var components: [[Int]] {
    var component: [Int?] = Array(repeating: nil, count: ranks.count)
    var result: [[Int]] = []
    for root in ranks.indices where component[root] == nil {
      component[root] = result.count
      var members = [root]
      var position = 0
      while position < members.count {
        let table = members[position]
        position += 1
        for neighbor in targets[table] + sources[table] where component[neighbor] == nil {
          component[neighbor] = result.count
          members.append(neighbor)
        }
      }
      result.append(members.sorted())
    }
    return result
  }

  /// Returns the layers of connected tables, ordered so that references cross rarely.
  func layers(of members: [Int]) -> [[Int]] {
    let lowest = members.map { ranks[$0] }.min() ?? 0
    let highest = members.map { ranks[$0] }.max() ?? 0
    var layers = Array(repeating: [Int](), count: highest - lowest + 1)
    for table in members { layers[ranks[table] - lowest].append(table) }
    layers.removeAll(where: \.isEmpty)
    var places = [Double](repeating: 0, count: ranks.count)
    for layer in layers { Self.store(layer, in: &places) }
    // Few sweeps of the barycentre heuristic suffice; more change little.
    for _ in 0..<4 {
      for index in layers.indices { sort(&layers[index], by: targets, &places) }
      for index in layers.indices.reversed() { sort(&layers[index], by: sources, &places) }
    }
    return layers
  }

  /// Sorts a layer by the mean place of the neighbours of each table.
  private func sort(_ layer: inout [Int], by neighbors: [[Int]], _ places: inout [Double]) {
    let means = layer.map { table in
      let near = neighbors[table]
      guard !near.isEmpty else { return places[table] }
      return near.reduce(0) { $0 + places[$1] } / Double(near.count)
    }
    let order = layer.indices.sorted { left, right in
      means[left] == means[right] ? left < right : means[left] < means[right]
    }
    layer = order.map { layer[$0] }
    Self.store(layer, in: &places)
  }

  /// Stores places from 0 to 1, so that layers of different sizes are comparable.
  private static func store(_ layer: [Int], in places: inout [Double]) {
    for (position, table) in layer.enumerated() {
      places[table] = (Double(position) + 0.5) / Double(layer.count)
    }
  }
}
