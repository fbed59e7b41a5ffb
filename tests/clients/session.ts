// A program that the types made of the document accept, and, marked so, what they refuse.
import type { paths, components } from "./api";

type Booking = components["schemas"]["Booking"];
type Answers = paths["/api/reservations"]["post"]["responses"];
type Booked = Answers[201]["content"]["application/json"];
type Taken = Answers[409]["content"]["application/json"];

const wish: Booking = { creneauId: 1, prestationId: 2, places: 1, commentaire: "" };
// @ts-expect-error: a service is asked for
const halfAWish: Booking = { creneauId: 1, places: 1, commentaire: "" };
// @ts-expect-error: an id is a number
const wrongWish: Booking = { creneauId: "1", prestationId: 2, places: 1, commentaire: "" };

export async function book(token: string): Promise<Booked | Taken> {
  const answer = await fetch("/api/reservations", {
    method: "POST",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    body: JSON.stringify(wish satisfies Booking),
  });
  return answer.json();
}

export function told(answer: Booked | Taken): string {
  if ("error" in answer) {
    return (answer.alternatives ?? []).map((start) => start.debut).join();
  }
  const state: "demandee" | "confirmee" | "refusee" | "annulee" | "honoree" | "absente" =
    answer.statut;
  // @ts-expect-error: there is no such field
  return state + answer.entreprise.nom + answer.prix;
}
