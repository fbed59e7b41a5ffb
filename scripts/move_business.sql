-- Moves the business @business from the database `source` into the current database, in one
-- transaction; both have the same schema version. Each id grows by @offset. See docs/scale.md.
-- The same text works in sqlite3 and in mariadb.
BEGIN;
UPDATE source.entreprise SET calendrier_version = calendrier_version + 1 WHERE id = @business;

-- Accounts stay in `source`, and an account with the same address is not copied.
CREATE TEMPORARY TABLE moved_utilisateur AS SELECT * FROM source.utilisateur WHERE id IN (
    SELECT proprietaire_id FROM source.entreprise WHERE id = @business
    UNION SELECT utilisateur_id FROM source.reservation WHERE entreprise_id = @business
    UNION SELECT demandeur_id FROM source.reservation WHERE entreprise_id = @business
) AND email NOT IN (SELECT email FROM utilisateur);
UPDATE moved_utilisateur SET id = id + @offset;
INSERT INTO utilisateur SELECT * FROM moved_utilisateur;

CREATE TEMPORARY TABLE moved_entreprise AS
    SELECT * FROM source.entreprise WHERE id = @business;
UPDATE moved_entreprise SET id = id + @offset, proprietaire_id = (
    SELECT t.id FROM utilisateur t JOIN source.utilisateur s ON s.email = t.email
    WHERE s.id = proprietaire_id
);
INSERT INTO entreprise SELECT * FROM moved_entreprise;

CREATE TEMPORARY TABLE moved_prestation AS
    SELECT * FROM source.prestation WHERE entreprise_id = @business;
UPDATE moved_prestation SET id = id + @offset, entreprise_id = entreprise_id + @offset;
INSERT INTO prestation SELECT * FROM moved_prestation;

CREATE TEMPORARY TABLE moved_semainetype AS
    SELECT * FROM source.semainetype WHERE entreprise_id = @business;
UPDATE moved_semainetype SET id = id + @offset, entreprise_id = entreprise_id + @offset,
    prestation_id = prestation_id + @offset;
INSERT INTO semainetype SELECT * FROM moved_semainetype;

CREATE TEMPORARY TABLE moved_evenement AS
    SELECT * FROM source.evenement WHERE entreprise_id = @business;
UPDATE moved_evenement SET id = id + @offset, entreprise_id = entreprise_id + @offset;
INSERT INTO evenement SELECT * FROM moved_evenement;

CREATE TEMPORARY TABLE moved_creneau AS
    SELECT * FROM source.creneau WHERE entreprise_id = @business;
UPDATE moved_creneau SET id = id + @offset, entreprise_id = entreprise_id + @offset,
    prestation_id = prestation_id + @offset;
INSERT INTO creneau SELECT * FROM moved_creneau;

CREATE TEMPORARY TABLE moved_reservation AS
    SELECT * FROM source.reservation WHERE entreprise_id = @business;
UPDATE moved_reservation SET id = id + @offset, entreprise_id = entreprise_id + @offset,
    prestation_id = prestation_id + @offset, creneau_id = creneau_id + @offset,
    utilisateur_id = (
        SELECT t.id FROM utilisateur t JOIN source.utilisateur s ON s.email = t.email
        WHERE s.id = utilisateur_id
    ),
    demandeur_id = (
        SELECT t.id FROM utilisateur t JOIN source.utilisateur s ON s.email = t.email
        WHERE s.id = demandeur_id
    );
INSERT INTO reservation SELECT * FROM moved_reservation;

CREATE TEMPORARY TABLE moved_eventemail AS
    SELECT * FROM source.eventemail WHERE entreprise_id = @business;
UPDATE moved_eventemail SET id = id + @offset, entreprise_id = entreprise_id + @offset,
    reservation_id = reservation_id + @offset;
INSERT INTO eventemail SELECT * FROM moved_eventemail;

DELETE FROM source.eventemail WHERE entreprise_id = @business;
DELETE FROM source.reservation WHERE entreprise_id = @business;
DELETE FROM source.creneau WHERE entreprise_id = @business;
DELETE FROM source.evenement WHERE entreprise_id = @business;
DELETE FROM source.semainetype WHERE entreprise_id = @business;
DELETE FROM source.prestation WHERE entreprise_id = @business;
DELETE FROM source.entreprise WHERE id = @business;
COMMIT;
